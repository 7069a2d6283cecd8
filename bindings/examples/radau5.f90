! A call of RADAU5 (Hairer & Wanner) for any mechanism in index 3, with daemark by iso_c_binding:
!   sh radau5_build.sh radau5_stand_in.f90 PREFIX     (or radau5.f and what it calls; PREFIX: /usr/local)
!   ./radau5 two_link 1 1e-3 1e-8 > motion.csv && daemark score motion.csv --problem two_link
! The arguments: problem, end time, (first) step, tolerance of positions, velocities and multipliers.
! It fits radau5.f of January 18, 2002, whose call has the 26 arguments below. radau5_build.sh refuses a
! version with another list in one line.
! B y' = f(t, y) with y = (q, v, a, lambda), B = diag(1, 1, 0, 0) and the rows
!   q' = v,  v' = a,  0 = M a + G^T lambda - f,  0 = Phi.
module mechanism
  use, intrinsic :: iso_c_binding
  implicit none
  type(c_ptr) :: p
  integer(c_int) :: n, m, n_y, nnz
  integer(c_int), allocatable :: colptr(:), rowind(:)

  interface
    function daemark_open(problem, formulation) bind(c)
      import :: c_ptr, c_char
      character(kind=c_char), intent(in) :: problem(*), formulation(*)
      type(c_ptr) :: daemark_open
    end function
    function daemark_last_error() bind(c)
      import :: c_ptr
      type(c_ptr) :: daemark_last_error
    end function
    subroutine daemark_close(p) bind(c)
      import :: c_ptr
      type(c_ptr), value :: p
    end subroutine
    integer(c_int) function daemark_sizes(p, n_q, n_lambda, n_y) bind(c)
      import :: c_ptr, c_int
      type(c_ptr), value :: p
      integer(c_int), intent(out) :: n_q, n_lambda, n_y
    end function
    function daemark_name(p, component, unit) bind(c)
      import :: c_ptr, c_int
      type(c_ptr), value :: p, unit
      integer(c_int), value :: component
      type(c_ptr) :: daemark_name
    end function
    integer(c_int) function daemark_initial(p, t, y, yp) bind(c)
      import :: c_ptr, c_int, c_double
      type(c_ptr), value :: p
      real(c_double), intent(out) :: t, y(*), yp(*)
    end function
    integer(c_int) function daemark_residual(p, t, y, yp, r) bind(c)
      import :: c_ptr, c_int, c_double
      type(c_ptr), value :: p
      real(c_double), value :: t
      real(c_double), intent(in) :: y(*), yp(*)
      real(c_double), intent(out) :: r(*)
    end function
    integer(c_int) function daemark_jacobian_nnz(p, nnz) bind(c)
      import :: c_ptr, c_int
      type(c_ptr), value :: p
      integer(c_int), intent(out) :: nnz
    end function
    integer(c_int) function daemark_jacobian(p, t, cj, y, yp, colptr, rowind, values) bind(c)
      import :: c_ptr, c_int, c_double
      type(c_ptr), value :: p
      real(c_double), value :: t, cj
      real(c_double), intent(in) :: y(*), yp(*)
      integer(c_int), intent(out) :: colptr(*), rowind(*)
      real(c_double), intent(out) :: values(*)
    end function
    integer(c_size_t) function strlen(text) bind(c)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function
  end interface

contains

  function text_of(pointer) result(text)
    type(c_ptr), intent(in) :: pointer
    character(kind=c_char), pointer :: letters(:)
    character(len=:), allocatable :: text
    integer :: i
    call c_f_pointer(pointer, letters, [strlen(pointer)])
    allocate (character(len=size(letters)) :: text)
    do i = 1, size(letters)
      text(i:i) = letters(i)
    end do
  end function

  ! daemark's y = (q, v, lambda) and y' = (v, a, 0) of RADAU5's y.
  subroutine split(y, own, rate)
    double precision, intent(in) :: y(*)
    double precision, intent(out) :: own(n_y), rate(n_y)
    own = [y(1:2*n), y(3*n + 1:3*n + m)]
    rate = 0
    rate(1:2*n) = y(n + 1:3*n)
  end subroutine

  subroutine fcn(size, t, y, f, rpar, ipar)
    integer :: size, ipar(*)
    double precision :: t, y(size), f(size), rpar(*), own(n_y), rate(n_y), r(n_y)
    call split(y, own, rate)
    if (daemark_residual(p, t, own, rate, r) /= 0) ipar(1) = ipar(1) + 1
    f = [y(n + 1:3*n), r(n + 1:n_y)]
  end subroutine

  subroutine jac(size, t, y, dfy, ldfy, rpar, ipar)
    integer :: size, ldfy, ipar(*), i, j, k
    double precision :: t, y(size), dfy(ldfy, size), rpar(*), own(n_y), rate(n_y)
    double precision :: of_y(nnz), both(nnz)
    call split(y, own, rate)
    i = daemark_jacobian(p, t, 0d0, own, rate, colptr, rowind, of_y)
    i = daemark_jacobian(p, t, 1d0, own, rate, colptr, rowind, both)  ! both - of_y: dF/dy'
    dfy = 0
    do i = 1, 2*n
      dfy(i, n + i) = 1
    end do
    do j = 1, n_y
      do k = colptr(j) + 1, colptr(j + 1)
        i = rowind(k) + 1
        if (i <= n) cycle
        if (j <= 2*n) dfy(n + i, j) = of_y(k)
        if (j > 2*n) dfy(n + i, n + j) = of_y(k)
        if (j > n .and. j <= 2*n) dfy(n + i, n + j) = both(k) - of_y(k)
      end do
    end do
  end subroutine

  subroutine mas(size, am, lmas, rpar, ipar)
    integer :: size, lmas, ipar(*)
    double precision :: am(lmas, size), rpar(*)
    am(1, :) = 0
    am(1, 1:2*n) = 1
  end subroutine

  subroutine solout(nr, told, t, y, cont, lrc, size, rpar, ipar, irtrn)
    integer :: nr, lrc, size, ipar(*), irtrn
    double precision :: told, t, y(size), cont(*), rpar(*)
    write (*, '(*(es24.16e3,:,","))') t, y
  end subroutine
end module

program example
  use mechanism
  implicit none
  external :: radau5
  character(len=64) :: problem = 'two_link', word
  double precision :: t, end = 1, h = 1d-3, tol(1) = 1d-8, rpar(1)
  double precision, allocatable :: own(:), rate(:), y(:), work(:)
  integer :: i, size, idid, ipar(1) = 0
  integer, allocatable :: iwork(:)
  if (command_argument_count() > 0) call get_command_argument(1, problem)
  if (command_argument_count() > 1) then
    call get_command_argument(2, word)
    read (word, *) end
  end if
  if (command_argument_count() > 2) then
    call get_command_argument(3, word)
    read (word, *) h
  end if
  if (command_argument_count() > 3) then
    call get_command_argument(4, word)
    read (word, *, iostat=i) tol(1)
    if (i /= 0 .or. .not. tol(1) > 0) then
      write (0, '(3a)') 'radau5: tolerance ', trim(word), ' is not accepted: a number > 0'
      stop 2
    end if
  end if
  p = daemark_open(trim(problem)//c_null_char, 'index3'//c_null_char)
  if (.not. c_associated(p)) then
    write (0, '(a)') text_of(daemark_last_error())
    stop 2
  end if
  i = daemark_sizes(p, n, m, n_y)
  i = daemark_jacobian_nnz(p, nnz)
  size = 3*n + m
  allocate (own(n_y), rate(n_y), colptr(n_y + 1), rowind(nnz))
  allocate (work(size*(4*size + 13) + 20), iwork(3*size + 20))
  i = daemark_initial(p, t, own, rate)
  y = [own(1:2*n), rate(n + 1:2*n), own(2*n + 1:n_y)]
  work = 0
  iwork = 0
  iwork(5:7) = [n, n, n + m]  ! components of index 1, 2 and 3
  write (*, '(a)', advance='no') 't'
  do i = 0, 2*n - 1
    write (*, '(2a)', advance='no') ',', text_of(daemark_name(p, i, c_null_ptr))
  end do
  do i = 0, n - 1
    write (*, '(2a)', advance='no') ',a_', text_of(daemark_name(p, i, c_null_ptr))
  end do
  do i = 2*n, n_y - 1
    write (*, '(2a)', advance='no') ',', text_of(daemark_name(p, i, c_null_ptr))
  end do
  write (*, '(a)') ''
  call radau5(size, fcn, t, y, end, h, tol, tol, 0, jac, 1, size, size, mas, 1, 0, 0, solout, 1, &
              work, ubound(work, 1), iwork, ubound(iwork, 1), rpar, ipar, idid)
  call daemark_close(p)
  if (idid < 0) stop 1
end program
