; SPDX-License-Identifier: GPL-2.0-only
; The boot CPU's local APIC is in x2APIC mode [Intel SDM 3A, 11.12.1], as firmware leaves it on
; large machines: its registers in memory answer no more.
%include "blob.inc"

	mov ecx, MSR_APIC_BASE
	rdmsr
	or eax, APIC_BASE_X2APIC
	wrmsr
	leave_blob
