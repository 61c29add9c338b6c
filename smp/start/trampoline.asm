; SPDX-License-Identifier: GPL-2.0-only
; From the start-up message to C [SDM 3A 9.4.4]: real mode, 32-bit protected mode, 64-bit mode
; [SDM 3A 10.8.5]. The code is copied to a page chosen at run time, so it refers to nothing but by
; its distance from the page's start, and to the data that the boot CPU has filled in.
;
; Many CPUs are in here at once. They share the data, of which they change the ticket counter only,
; and keep the rest in registers:
;   EDI:ESI  time of the first instruction	EBP  ticket	EBX  address of the page

global trampoline_start
global trampoline_protected
global trampoline_long
global trampoline_data
global trampoline_end

PERCPU_STACK_TOP	equ 16		; asserted in smp/start/percpu.c
PERCPU_FIRST_TSC	equ 32
CODE32			equ 0x08
DATA32			equ 0x10
CODE64			equ 0x18
MSR_EFER		equ 0xc0000080
CR0_PE			equ 1
CR0_PG			equ 1 << 31

%define AT(label)	(label - trampoline_start)

section .rodata
	align 16
bits 16
trampoline_start:
	cli
	rdtsc
	mov esi, eax
	mov edi, edx
	cld
	mov ax, cs
	mov ds, ax
	movzx ebx, ax
	shl ebx, 4
	mov ebp, 1
	lock xadd [AT(tickets)], ebp
	cmp ebp, [AT(pool)]
	jae .park
	o32 lgdt [AT(gdtr)]
	mov eax, [AT(cr0_value)]
	and eax, ~CR0_PG
	mov cr0, eax			; caches go on here, too
	jmp dword far [AT(to_protected)]
.park:
	cli
	hlt
	jmp .park

bits 32
trampoline_protected:
	mov eax, DATA32
	mov ds, eax
	mov ss, eax
	mov eax, [ebx + AT(cr4_value)]
	mov cr4, eax
	mov eax, [ebx + AT(cr3_value)]
	mov cr3, eax
	mov ecx, MSR_EFER
	xor edx, edx
	mov eax, [ebx + AT(efer_value)]
	wrmsr
	mov eax, [ebx + AT(cr0_value)]
	mov cr0, eax
	jmp dword far [ebx + AT(to_long)]

bits 64
trampoline_long:
	mov ebp, ebp			; the upper halves are undefined after the change of mode
	mov esi, esi
	shl rdi, 32
	or rdi, rsi
	mov rax, [rel blocks]
	mov rax, [rax + rbp * 8]
	mov [rax + PERCPU_FIRST_TSC], rdi
	mov rsp, [rax + PERCPU_STACK_TOP]
	mov rdi, rax
	xor ebp, ebp			; the end of every back trace
	push rbp
	jmp [rel entry]

	align 8
trampoline_data:			; struct trampoline_data, smp/start/trampoline.h
tickets:	dd 0
pool:		dd 0
cr0_value:	dd 0
cr3_value:	dd 0
cr4_value:	dd 0
efer_value:	dd 0
to_protected:	dq 0
to_long:	dq 0
gdtr:		dq 0
entry:		dq 0
blocks:		dq 0
gdt:		times 4 dq 0
trampoline_end:
