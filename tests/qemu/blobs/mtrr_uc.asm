; SPDX-License-Identifier: GPL-2.0-only
; NUMBER2 bytes of RAM, a power of two, from NUMBER1 on become uncached on the boot CPU alone: by
; its variable MTRR 2 [Intel SDM 3A, 12.11.2.3].
%include "blob.inc"

MTRR_PHYSBASE2	equ 0x204
UNCACHED	equ 0
VALID		equ 1 << 11

	mov ecx, MTRR_PHYSBASE2
	mov eax, NUMBER1 | UNCACHED
	xor edx, edx
	wrmsr
	inc ecx
	mov eax, ~(NUMBER2 - 1) & 0xffffffff | VALID
	mov edx, 0xff		; of 40 bits of address
	wrmsr
	leave_blob
