; SPDX-License-Identifier: GPL-2.0-only
; From a loader to C: two 32-bit entry points, one way up to 64 bits.
;
; Both protocols enter in 32-bit protected mode, flat segments, paging off, EBX = the loader's
; information; EAX = magic number with Multiboot2 [MB2 3.3], undefined with PVH [PVH].
; The image may lie at any 2 MiB boundary, so this file finds out where it runs and adds the
; difference (EBP) to every link-time physical address.

KERNEL_BASE		equ 0xffffffff80000000
PVH_MAGIC		equ 0x336ec578
IMAGE_LINK_PHYSICAL	equ 0x200000

PAGE_PRESENT_WRITE	equ 0x003
PAGE_HUGE		equ 0x080
MSR_EFER		equ 0xc0000080
EFER_LME_NXE		equ (1 << 8) | (1 << 11)
EFER_LME		equ 1 << 8
CR0_PG_WP_NE_ET_PE	equ (1 << 31) | (1 << 16) | (1 << 5) | (1 << 4) | 1
CR4_PAE			equ 1 << 5
COM1			equ 0x3f8
PROBE			equ 0x6d656d21

; early_tables: eight pages in the order of their use below
EARLY_PML4		equ 0x0000
EARLY_PDPT_LOW		equ 0x1000
EARLY_PDPT_HIGH		equ 0x2000
EARLY_PD_HIGH		equ 0x3000
EARLY_PD_LOW		equ 0x4000	; four of them: 4 GiB

extern bss_start_physical
extern image_end_physical
extern early_tables_physical
extern boot_stack_top_physical
extern entry_facts_physical
extern kernel_main

global multiboot2_entry
global early_tables
global entry_facts
global boot_stack_guard
global boot_stack_top

; ---------------------------------------------------------------------------------------------
section .multiboot2 progbits alloc noexec nowrite align=8
header:
	dd 0xe85250d6			; magic [MB2 3.1.1]
	dd 0				; i386 protected mode
	dd header_end - header
	dd 0x100000000 - (0xe85250d6 + 0 + (header_end - header))

	align 8
	dw 10, 0			; relocatable [MB2 3.1.14]
	dd 24
	dd IMAGE_LINK_PHYSICAL		; lowest address
	dd 0xffffffff			; highest address of the last byte
	dd 0x200000			; alignment
	dd 1				; as low as possible

	align 8
	dw 6, 0				; modules page aligned [MB2 3.1.10]
	dd 8

	align 8
	dw 0, 0				; end
	dd 8
header_end:

; ---------------------------------------------------------------------------------------------
section .note.Xen note alloc noexec nowrite align=4
	dd 4				; name size
	dd 8				; descriptor size: QEMU reads 8 bytes from a 64-bit ELF
	dd 18				; XEN_ELFNOTE_PHYS32_ENTRY
	db 'Xen', 0
	dq pvh_entry

; ---------------------------------------------------------------------------------------------
section .boot progbits alloc exec nowrite align=16
bits 32
multiboot2_entry:
	mov esi, eax
	jmp enter
pvh_entry:
	mov esi, PVH_MAGIC
enter:
	cli
	cld
	rdtsc
	mov edi, eax			; EDX:EDI: the first instruction's time
	; Where are we? A call needs a stack; the second word of the loader's information serves as
	; one for a moment and is put back.
	mov ecx, [ebx + 4]
	lea esp, [ebx + 8]
	call .here
.here:
	pop ebp
	mov [ebx + 4], ecx
	sub ebp, .here			; EBP: how far the image was moved from its link address

	; A loader that does not look whether there is RAM for the image (QEMU's for PVH) puts its
	; end nowhere. What is not there keeps no value.
	lea ecx, [ebp + image_end_physical - 8]
	mov dword [ecx], PROBE
	mov dword [ecx + 4], ~PROBE
	lea eax, [ebp + too_little_memory]
	cmp dword [ecx], PROBE
	jne give_up
	cmp dword [ecx + 4], ~PROBE
	jne give_up

	; Firmware that ran after such a loader may have left something here.
	add ecx, 8
	lea eax, [ebp + bss_start_physical]
.clear:
	mov dword [eax], 0
	add eax, 4
	cmp eax, ecx
	jb .clear
	lea esp, [ebp + boot_stack_top_physical]

	lea ecx, [ebp + entry_facts_physical]
	mov [ecx], edi
	mov [ecx + 4], edx
	mov [ecx + 8], esi
	mov [ecx + 16], ebx
	mov [ecx + 24], ebp

	call require_long_mode

	; Identity map of the low 4 GiB, in 2 MiB pages.
	lea ebx, [ebp + early_tables_physical]
	lea eax, [ebx + EARLY_PDPT_LOW + PAGE_PRESENT_WRITE]
	mov [ebx + EARLY_PML4], eax
	lea edi, [ebx + EARLY_PDPT_LOW]
	lea eax, [ebx + EARLY_PD_LOW + PAGE_PRESENT_WRITE]
	mov ecx, 4
.pdpt:
	mov [edi], eax
	add eax, 0x1000
	add edi, 8
	loop .pdpt
	lea edi, [ebx + EARLY_PD_LOW]
	mov eax, PAGE_PRESENT_WRITE | PAGE_HUGE
	mov ecx, 4 * 512
.pd:
	mov [edi], eax
	add eax, 0x200000
	add edi, 8
	loop .pd

	; The image where it is linked: 32 pages of 2 MiB from KERNEL_BASE + IMAGE_LINK_PHYSICAL.
	lea eax, [ebx + EARLY_PDPT_HIGH + PAGE_PRESENT_WRITE]
	mov [ebx + EARLY_PML4 + 511 * 8], eax
	lea eax, [ebx + EARLY_PD_HIGH + PAGE_PRESENT_WRITE]
	mov [ebx + EARLY_PDPT_HIGH + 510 * 8], eax
	lea edi, [ebx + EARLY_PD_HIGH + 8]
	lea eax, [ebp + IMAGE_LINK_PHYSICAL + (PAGE_PRESENT_WRITE | PAGE_HUGE)]
	mov ecx, 32
.image:
	mov [edi], eax
	add eax, 0x200000
	add edi, 8
	loop .image

	; CR4 is written whole: a loader that had 5-level paging on (CR4.LA57) left it set.
	mov eax, CR4_PAE
	mov cr4, eax
	mov cr3, ebx
	mov ecx, MSR_EFER
	xor edx, edx
	mov eax, esi			; from require_long_mode
	wrmsr
	mov eax, CR0_PG_WP_NE_ET_PE
	mov cr0, eax

	lea eax, [ebp + early_gdt]
	push eax
	push dword (early_gdt_end - early_gdt - 1) << 16
	lgdt [esp + 2]
	lea eax, [ebp + long_mode]
	push dword 8
	push eax
	retf

; ESI: what EFER is to be. Never returns on a CPU without long mode.
require_long_mode:
	mov eax, 0x80000000
	cpuid
	cmp eax, 0x80000001
	jb .missing
	mov eax, 0x80000001
	cpuid
	bt edx, 29			; LM [SDM 2A CPUID 80000001h]
	jnc .missing
	mov esi, EFER_LME
	bt edx, 20			; NX
	jnc .no_nx
	mov esi, EFER_LME_NXE
.no_nx:
	ret
.missing:
	lea eax, [ebp + no_long_mode]

; EAX: what is to be said. Needs no stack.
give_up:
	mov esi, eax
	mov dx, COM1
.next:
	lodsb
	test al, al
	jz .stop
	out dx, al
	jmp .next
.stop:
	hlt
	jmp .stop

no_long_mode:		db 'memmap-lab: this CPU has no 64-bit mode', 13, 10, 0
too_little_memory:	db 'memmap-lab: too little memory: there is no RAM for all of the kernel'
			db 13, 10, 0

	align 8
early_gdt:
	dq 0
	dq 0x00af9a000000ffff		; code, 64 bit
	dq 0x00cf92000000ffff		; data
early_gdt_end:

bits 64
long_mode:
	mov rax, qword high_entry
	jmp rax

; ---------------------------------------------------------------------------------------------
section .text
high_entry:
	mov eax, 0x10
	mov ss, eax
	mov ds, eax
	mov es, eax
	xor eax, eax
	mov fs, eax
	mov gs, eax
	mov rsp, boot_stack_top
	xor ebp, ebp			; the end of every back trace
	mov rdi, entry_facts
	call kernel_main
.stop:
	cli
	hlt
	jmp .stop

; ---------------------------------------------------------------------------------------------
section .bss nobits alloc noexec write align=4096
early_tables:
	resb 8 * 4096
boot_stack_guard:			; unmapped once paging_init has run
	resb 4096
boot_stack:
	resb 4 * 4096 - 16
boot_stack_top:
	resb 16				; STACK_CANARY_BYTES, smp/start/percpu.h
entry_facts:				; struct entry_facts, kernel/entry.h
	resq 4

section .note.GNU-stack noalloc noexec nowrite progbits
