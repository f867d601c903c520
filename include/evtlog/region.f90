! SPDX-License-Identifier: LGPL-2.1-or-later
! Regions for Fortran, see region.h. Compile this file with the program:
!
!	use evtlog_regions
!	call evtlog_begin('solve')
!	...
!	call evtlog_end('solve')
module evtlog_regions
	use, intrinsic :: iso_c_binding
	implicit none
	private
	public :: evtlog_begin, evtlog_end, evtlog_mark, evtlog_since_mark, evtlog_thread, evtlog_rank, evtlog_save

	interface
		function kept_name(text, length) bind(c, name='evtlog_region_name')
			import :: c_ptr, c_char, c_size_t
			character(kind=c_char), intent(in) :: text(*)
			integer(c_size_t), value :: length
			type(c_ptr) :: kept_name
		end function
		subroutine region_begin(name) bind(c, name='evtlog_region_begin')
			import :: c_ptr
			type(c_ptr), value :: name
		end subroutine
		subroutine region_end(name) bind(c, name='evtlog_region_end')
			import :: c_ptr
			type(c_ptr), value :: name
		end subroutine
		subroutine evtlog_mark() bind(c, name='evtlog_region_mark')
		end subroutine
		subroutine region_since_mark(name) bind(c, name='evtlog_region_since_mark')
			import :: c_ptr
			type(c_ptr), value :: name
		end subroutine
		subroutine region_thread(name) bind(c, name='evtlog_region_thread')
			import :: c_char
			character(kind=c_char), intent(in) :: name(*)
		end subroutine
		! Returns 0, or an error as in region.h
		function evtlog_save() bind(c, name='evtlog_region_save')
			import :: c_int
			integer(c_int) :: evtlog_save
		end function
		! Sets the rank of this process in a parallel program
		subroutine evtlog_rank(rank) bind(c, name='evtlog_region_rank')
			import :: c_int
			integer(c_int), value :: rank
		end subroutine
	end interface

contains

	! Trailing blanks are not part of the name.
	subroutine evtlog_begin(name)
		character(len=*), intent(in) :: name

		call region_begin(kept_name(name, int(len_trim(name), c_size_t)))
	end subroutine

	subroutine evtlog_end(name)
		character(len=*), intent(in) :: name

		call region_end(kept_name(name, int(len_trim(name), c_size_t)))
	end subroutine

	subroutine evtlog_since_mark(name)
		character(len=*), intent(in) :: name

		call region_since_mark(kept_name(name, int(len_trim(name), c_size_t)))
	end subroutine

	subroutine evtlog_thread(name)
		character(len=*), intent(in) :: name

		call region_thread(trim(name) // c_null_char)
	end subroutine

end module
