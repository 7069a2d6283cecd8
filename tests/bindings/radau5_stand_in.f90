! The arguments of Hairer & Wanner's RADAU5 and its formula, three stages of Radau IIA, with constant
! steps h: what tests join where radau5.f is not at hand. Full Jacobians and diagonal mass matrices only.
subroutine radau5(n, fcn, x, y, xend, h, rtol, atol, itol, jac, ijac, mljac, mujac, mas, imas, &
                  mlmas, mumas, solout, iout, work, lwork, iwork, liwork, rpar, ipar, idid)
  implicit none
  integer :: n, itol, ijac, mljac, mujac, imas, mlmas, mumas, iout, lwork, iwork(*), liwork
  integer :: ipar(*), idid, step, steps, i, j, k, it, irtrn
  double precision :: x, y(n), xend, h, rtol(*), atol(*), work(*), rpar(*), cont(1), change, before
  external :: fcn, jac, mas, solout
  double precision, parameter :: s6 = sqrt(6d0)
  double precision :: A(3, 3), c(3), b(1, n), z(n, 3), f(n, 3), dfy(n, n), S(3*n, 3*n), r(3*n), x0
  A = reshape([(88 - 7*s6)/360, (296 + 169*s6)/1800, (16 - s6)/36, &
               (296 - 169*s6)/1800, (88 + 7*s6)/360, (16 + s6)/36, &
               (-2 + 3*s6)/225, (-2 - 3*s6)/225, 1d0/9], [3, 3])
  c = [(4 - s6)/10, (4 + s6)/10, 1d0]
  call mas(n, b, 1, rpar, ipar)
  steps = nint((xend - x)/h)
  x0 = x
  idid = -1
  call solout(1, x, x, y, cont, 1, n, rpar, ipar, irtrn)
  do step = 1, steps
    z = 0
    do it = 1, 12  ! B z_i = h sum_j a_ij f(x + c_j h, y + z_j)
      call jac(n, x, y + z(:, 3), dfy, n, rpar, ipar)
      S = 0
      do i = 1, 3
        call fcn(n, x + c(i)*h, y + z(:, i), f(:, i), rpar, ipar)
      end do
      do i = 1, 3
        r((i - 1)*n + 1:i*n) = h*matmul(f, A(i, :)) - b(1, :)*z(:, i)
        do j = 1, 3
          S((i - 1)*n + 1:i*n, (j - 1)*n + 1:j*n) = -h*A(i, j)*dfy
        end do
        do k = 1, n
          S((i - 1)*n + k, (i - 1)*n + k) = S((i - 1)*n + k, (i - 1)*n + k) + b(1, k)
        end do
      end do
      if (.not. solved(S, r)) return
      z = z + reshape(r, [n, 3])
      change = maxval(abs(r))
      if (change <= 1d-10*(1 + maxval(abs(y)))) exit
      ! Round-off of Phi over h^2 in a and lambda: increments no longer fall.
      if (it > 1 .and. change > before/2 .and. change <= 1d-7*(1 + maxval(abs(y)))) exit
      before = change
    end do
    if (it > 12) return
    y = y + z(:, 3)
    x = x0 + step*h
    call solout(step + 1, x - h, x, y, cont, 1, n, rpar, ipar, irtrn)
  end do
  idid = 1

contains

  ! Gaussian elimination with row scaling and partial pivoting; the solution takes the place of r.
  logical function solved(S, r)
    double precision, intent(inout) :: S(:, :), r(:)
    double precision :: swap(size(r)), one
    integer :: i, k, at
    solved = .false.
    do i = 1, size(r)
      one = maxval(abs(S(i, :)))
      if (one == 0) return
      S(i, :) = S(i, :)/one
      r(i) = r(i)/one
    end do
    do k = 1, size(r)
      at = k - 1 + maxloc(abs(S(k:, k)), 1)
      if (S(at, k) == 0) return
      swap = S(k, :); S(k, :) = S(at, :); S(at, :) = swap
      one = r(k); r(k) = r(at); r(at) = one
      do i = k + 1, size(r)
        one = S(i, k)/S(k, k)
        if (one == 0) cycle
        S(i, k:) = S(i, k:) - one*S(k, k:)
        r(i) = r(i) - one*r(k)
      end do
    end do
    do k = size(r), 1, -1
      r(k) = (r(k) - dot_product(S(k, k + 1:), r(k + 1:)))/S(k, k)
    end do
    solved = .true.
  end function
end subroutine
