! SPDX-License-Identifier: GPL-2.0-or-later
! bindings - regions of Fortran, some with names made at run time; a thread's name, and what was saved.
program bindings
	use evtlog_regions
	implicit none
	character(len=20) :: name
	integer :: i

	call evtlog_begin('main')
	do i = 1, 6
		write (name, '(a, i0)') 'step ', mod(i, 2)
		call evtlog_begin(name)
		call evtlog_end(name)
	end do
	call evtlog_mark()
	call evtlog_since_mark('waited ')
	call evtlog_thread('named here ')
	call evtlog_end('main')
	if (evtlog_save() /= 0) stop 1
end program
