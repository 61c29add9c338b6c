; SPDX-License-Identifier: GPL-2.0-only
; The other CPUs, NUMBER1 of them, are started and left running in real mode, as by a kernel that
; hands over to the next without stopping them [Intel SDM 3A, 9.4.4]; with NUMBER2 = 1 in x2APIC
; mode. If they do not come it ends here, and so does the run.
%include "blob.inc"

APIC_COMMAND	equ 0xfee00300
ALL_OTHERS	equ 3 << 18
INIT		equ 0x4500
STARTUP		equ 0x4600
THEIR_PAGE	equ 0x50000
COUNT		equ 0xffc		; in that page
WRITES		equ 10000		; to port 0x80, of a microsecond about

	mov esi, started
	mov edi, THEIR_PAGE
	mov ecx, started_end - started
	rep movsb
	mov dword [THEIR_PAGE + COUNT], 0
	mov dword [APIC_COMMAND], ALL_OTHERS | INIT
	mov ecx, WRITES
.wait:
	out 0x80, al
	loop .wait
	mov dword [APIC_COMMAND], ALL_OTHERS | STARTUP | THEIR_PAGE >> 12
.until_they_run:
	cmp dword [THEIR_PAGE + COUNT], NUMBER1
	jb .until_they_run
	leave_blob

	bits 16
started:
%if NUMBER2
	mov ecx, MSR_APIC_BASE
	rdmsr
	or eax, APIC_BASE_X2APIC
	wrmsr
%endif
	lock inc word [cs:COUNT]
.on:
	jmp .on
started_end:
