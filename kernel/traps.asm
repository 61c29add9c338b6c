; SPDX-License-Identifier: GPL-2.0-only
; Where the CPU enters for each of the 256 vectors: makes every frame the same shape, struct
; trap_frame of kernel/traps.c, and goes on in C. Exceptions arrive on the exception stack,
; interrupts on the one in use. And the one instruction that may raise an exception and go on.

STUB_BYTES	equ 16			; kernel/traps.c computes the addresses

extern trap_handler

global trap_stubs
global rdmsr_safe
global rdmsr_attempt
global rdmsr_failed
global boot_exception_guard
global boot_exception_stack
global boot_exception_stack_top
global boot_nmi_guard
global boot_nmi_stack
global boot_nmi_stack_top

; Vectors for which the CPU pushes an error code [SDM 3A table 7-1; 29, 30: APM 2 8.2]
%define has_error_code(v) (v == 8 || v == 10 || v == 11 || v == 12 || v == 13 || v == 14 || \
			   v == 17 || v == 21 || v == 29 || v == 30)

section .text
	align STUB_BYTES
trap_stubs:
%assign vector 0
%rep 256
	align STUB_BYTES
%if !has_error_code(vector)
	push qword 0
%endif
	push qword vector
	jmp near trap_common
%assign vector vector + 1
%endrep

trap_common:
	push rax
	push rbx
	push rcx
	push rdx
	push rsi
	push rdi
	push rbp
	push r8
	push r9
	push r10
	push r11
	push r12
	push r13
	push r14
	push r15
	cld
	mov rdi, rsp
	call trap_handler		; returns from interrupts, and from a #GP of rdmsr_safe
	pop r15
	pop r14
	pop r13
	pop r12
	pop r11
	pop r10
	pop r9
	pop r8
	pop rbp
	pop rdi
	pop rsi
	pop rdx
	pop rcx
	pop rbx
	pop rax
	add rsp, 16			; vector, error code
	iretq

; bool rdmsr_safe(uint32_t msr, uint64_t *value): kernel/traps.c sends the #GP of a register that
; the CPU does not have on to rdmsr_failed.
rdmsr_safe:
	mov ecx, edi
rdmsr_attempt:
	rdmsr
	shl rdx, 32
	or rax, rdx
	mov [rsi], rax
	mov eax, 1
	ret
rdmsr_failed:
	xor eax, eax
	ret

section .bss nobits alloc noexec write align=4096
boot_exception_guard:			; unmapped once paging_init has run
	resb 4096
boot_exception_stack:
	resb 2 * 4096 - 16
boot_exception_stack_top:
	resb 16				; STACK_CANARY_BYTES, smp/start/percpu.h
boot_nmi_guard:				; unmapped as well
	resb 4096
boot_nmi_stack:
	resb 2 * 4096 - 16
boot_nmi_stack_top:
	resb 16
