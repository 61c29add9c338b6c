; SPDX-License-Identifier: GPL-2.0-only
; Store kernels: ways to write the same struct pages, one function each; store.h says what for.
;
;	void store_NAME(struct page *from, struct page *to, uint64_t flags, uint64_t counts)
;	                RDI                RSI              RDX             RCX
;
; A struct page in eight words, at a cache line:
;
;	 0 flags | 1 next = &1 | 2 prev = &1 | 3 0 | 4 0 | 5 0 | 6 counts | 7 0
;
; Only what is in words 1 and 2 differs from page to page, by 64. So a vector that holds them
; becomes that of the next page by one addition, and the others stay in registers.
; Non-temporal stores and CLZERO are weakly ordered: SFENCE, before anybody else is told.

PAGE_BYTES	equ 64			; of a struct page
LRU		equ 8			; its list head
COUNTS		equ 48

; STOSQ has a start-up cost, so it zeroes several struct pages at once, but less than the 2 KiB from
; which on the CPU goes around its caches (by measurement): the fields are stored next.
STOSQ_BYTES	equ 16 * PAGE_BYTES
; CLZERO does go around them. Stores to a line that is still on its way out wait for it, so the
; fields come much later [docs/store-kernels.md].
CLZERO_BYTES	equ 4096 * PAGE_BYTES
; MOVDIR64B reads its 64 bytes in one piece, which cannot be forwarded from narrower stores that
; are under way. So each image is set up this many pages ahead of its use.
MOVDIR_IMAGES	equ 16

section .text

; Nothing to do where the range is empty: all loops test at their end.
%macro begin 1
	global %1
	align 64
%1:
	cmp rdi, rsi
	jae .done
%endmacro

; The fields of a page at RDI whose other words are zero; R8: its list head.
%macro set_fields 0
	lea r8, [rdi + LRU]
	mov [rdi], rdx
	mov [rdi + LRU], r8
	mov [rdi + LRU + 8], r8
	mov [rdi + COUNTS], rcx
%endmacro

; ---------------------------------------------------------------------------------------------
; mm_zero_struct_page, set_page_links, init_page_count, page_mapcount_reset, INIT_LIST_HEAD
; [Linux mm/mm_init.c __init_single_page]: the compiler keeps all stores, 8 and 5.
begin store_linux
	xor eax, eax
	mov r9, rcx
	shr r9, 32			; refcount; mapcount is in ECX
.next:
	mov [rdi], rax
	mov [rdi + 8], rax
	mov [rdi + 16], rax
	mov [rdi + 24], rax
	mov [rdi + 32], rax
	mov [rdi + 40], rax
	mov [rdi + 48], rax
	mov [rdi + 56], rax
	mov [rdi], rdx
	mov [rdi + COUNTS + 4], r9d
	mov [rdi + COUNTS], ecx
	lea r8, [rdi + LRU]
	mov [rdi + LRU], r8
	mov [rdi + LRU + 8], r8
	add rdi, PAGE_BYTES
	cmp rdi, rsi
	jb .next
.done:
	ret

; ---------------------------------------------------------------------------------------------
; A prepared page is copied and its list head set, as one would in C with *page = template.
begin store_template
	push rbp
	mov rbp, rsp
	sub rsp, 2 * PAGE_BYTES
	and rsp, -PAGE_BYTES
	xor eax, eax
	mov [rsp], rdx
	mov [rsp + 8], rax
	mov [rsp + 16], rax
	mov [rsp + 24], rax
	mov [rsp + 32], rax
	mov [rsp + 40], rax
	mov [rsp + COUNTS], rcx
	mov [rsp + 56], rax
.next:
	movdqa xmm0, [rsp]
	movdqa xmm1, [rsp + 16]
	movdqa xmm2, [rsp + 32]
	movdqa xmm3, [rsp + 48]
	lea r8, [rdi + LRU]
	movdqa [rdi], xmm0
	movdqa [rdi + 16], xmm1
	movdqa [rdi + 32], xmm2
	movdqa [rdi + 48], xmm3
	mov [rdi + LRU], r8
	mov [rdi + LRU + 8], r8
	add rdi, PAGE_BYTES
	cmp rdi, rsi
	jb .next
	leave
.done:
	ret

; ---------------------------------------------------------------------------------------------
; R10, R11: beginning and end of the batch
%macro next_batch 1
	lea r11, [r10 + %1]
	cmp r11, rsi
	cmova r11, rsi
%endmacro

; ... whose lines are zero by now. Goes back to .batch as long as there is more.
%macro finish_batch 0
	mov rdi, r10
.fields:
	set_fields
	add rdi, PAGE_BYTES
	cmp rdi, r11
	jb .fields
	mov r10, r11
	cmp r10, rsi
	jb .batch
%endmacro

begin store_stosq
	mov r9, rcx
	mov r10, rdi
.batch:
	next_batch STOSQ_BYTES
	mov rcx, r11
	sub rcx, r10
	shr ecx, 3
	mov rdi, r10
	xor eax, eax
	rep stosq
	mov rcx, r9
	finish_batch
.done:
	ret

begin store_clzero
	mov r10, rdi
.batch:
	next_batch CLZERO_BYTES
	mov rax, r10
.zero:
	clzero				; the line at RAX
	add rax, PAGE_BYTES
	cmp rax, r11
	jb .zero
	finish_batch
	sfence
.done:
	ret

; ---------------------------------------------------------------------------------------------
begin store_nti
	xor eax, eax
.next:
	lea r8, [rdi + LRU]
	movnti [rdi], rdx
	movnti [rdi + LRU], r8
	movnti [rdi + LRU + 8], r8
	movnti [rdi + 24], rax
	movnti [rdi + 32], rax
	movnti [rdi + 40], rax
	movnti [rdi + COUNTS], rcx
	movnti [rdi + 56], rax
	add rdi, PAGE_BYTES
	cmp rdi, rsi
	jb .next
	sfence
.done:
	ret

; ---------------------------------------------------------------------------------------------
;	XMM0 flags next | XMM1 prev 0 | XMM2 0 0 | XMM3 counts 0
;	steps:   0   64 | XMM5  64 0
begin store_nt128
	lea r8, [rdi + LRU]
	mov eax, PAGE_BYTES
	movq xmm0, rdx
	movq xmm1, r8
	punpcklqdq xmm0, xmm1
	pxor xmm2, xmm2
	movq xmm3, rcx
	movq xmm5, rax
	movdqa xmm4, xmm5
	pslldq xmm4, 8
.next:
	movntdq [rdi], xmm0
	movntdq [rdi + 16], xmm1
	movntdq [rdi + 32], xmm2
	movntdq [rdi + 48], xmm3
	paddq xmm0, xmm4
	paddq xmm1, xmm5
	add rdi, PAGE_BYTES
	cmp rdi, rsi
	jb .next
	sfence
.done:
	ret

; ---------------------------------------------------------------------------------------------
;	YMM0 flags next prev 0 | YMM1 0 0 counts 0
;	YMM2     0   64   64 0
%macro prepare_256 0
	lea r8, [rdi + LRU]
	mov eax, PAGE_BYTES
	vmovq xmm0, rdx
	vpinsrq xmm0, xmm0, r8, 1
	vmovq xmm1, r8
	vinserti128 ymm0, ymm0, xmm1, 1
	vmovq xmm1, rax
	vpslldq xmm2, xmm1, 8
	vinserti128 ymm2, ymm2, xmm1, 1
	vmovq xmm1, rcx
	vpxor xmm3, xmm3, xmm3
	vinserti128 ymm1, ymm3, xmm1, 1
%endmacro

%macro store_256 1
	prepare_256
.next:
	%1 [rdi], ymm0
	%1 [rdi + 32], ymm1
	vpaddq ymm0, ymm0, ymm2
	add rdi, PAGE_BYTES
	cmp rdi, rsi
	jb .next
	vzeroupper
%endmacro

begin store_nt256
	store_256 vmovntdq
	sfence
.done:
	ret

begin store_v256
	store_256 vmovdqa
.done:
	ret

; ---------------------------------------------------------------------------------------------
;	ZMM0 flags next prev 0 0 0 counts 0
;	ZMM2     0   64   64 0 0 0      0 0
%macro store_512 1
	prepare_256
	vinserti64x4 zmm0, zmm0, ymm1, 1
.next:
	%1 [rdi], zmm0
	vpaddq zmm0, zmm0, zmm2
	add rdi, PAGE_BYTES
	cmp rdi, rsi
	jb .next
	vzeroupper
%endmacro

begin store_nt512
	store_512 vmovntdq
	sfence
.done:
	ret

begin store_v512
	store_512 vmovdqa64
.done:
	ret

; ---------------------------------------------------------------------------------------------
; Images on the stack, in a ring. R8: list head of the page that image R10 will be for.
begin store_movdir64b
	push rbp
	mov rbp, rsp
	sub rsp, (MOVDIR_IMAGES + 1) * PAGE_BYTES
	and rsp, -PAGE_BYTES
	xor eax, eax
	xor r10d, r10d
	lea r8, [rdi + LRU]
.image:
	mov [rsp + r10], rdx
	mov [rsp + r10 + LRU], r8
	mov [rsp + r10 + LRU + 8], r8
	mov [rsp + r10 + 24], rax
	mov [rsp + r10 + 32], rax
	mov [rsp + r10 + 40], rax
	mov [rsp + r10 + COUNTS], rcx
	mov [rsp + r10 + 56], rax
	add r8, PAGE_BYTES
	add r10d, PAGE_BYTES
	cmp r10d, MOVDIR_IMAGES * PAGE_BYTES
	jb .image
	xor r10d, r10d
.next:
	movdir64b rdi, [rsp + r10]
	mov [rsp + r10 + LRU], r8
	mov [rsp + r10 + LRU + 8], r8
	add r8, PAGE_BYTES
	add r10d, PAGE_BYTES
	and r10d, (MOVDIR_IMAGES - 1) * PAGE_BYTES
	add rdi, PAGE_BYTES
	cmp rdi, rsi
	jb .next
	sfence
	leave
.done:
	ret

section .note.GNU-stack noalloc noexec nowrite progbits
