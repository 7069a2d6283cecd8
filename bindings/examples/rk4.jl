# The classical Runge-Kutta method on the accelerations of any mechanism, with daemark by ccall:
#   DAEMARK_LIBRARY=PREFIX/lib/libdaemark.so julia rk4.jl two_link 1 1000 > motion.csv
#   daemark score motion.csv --problem two_link
const lib = get(ENV, "DAEMARK_LIBRARY", "libdaemark.so.0")

last_error() = unsafe_string(ccall((:daemark_last_error, lib), Cstring, ()))

function check(code)
    code == 0 || error(last_error())
end

function open_problem(problem, formulation)
    p = ccall((:daemark_open, lib), Ptr{Cvoid}, (Cstring, Cstring), problem, formulation)
    p == C_NULL && error(last_error())
    p
end

name(p, i) = unsafe_string(ccall((:daemark_name, lib), Cstring,
                                 (Ptr{Cvoid}, Cint, Ptr{Cstring}), p, i, C_NULL))

function rates!(k, p, t, y, n)
    q, v, a = y[1:n], y[n+1:2n], zeros(n)
    check(ccall((:daemark_accelerations, lib), Cint,
                (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}),
                p, t, q, v, a, C_NULL))
    k[1:n] = v
    k[n+1:2n] = a
end

function main(problem, t_end, steps)
    p = open_problem(problem, "index1")
    n, m, size, start = Ref{Cint}(), Ref{Cint}(), Ref{Cint}(), Ref{Cdouble}()
    check(ccall((:daemark_sizes, lib), Cint, (Ptr{Cvoid}, Ref{Cint}, Ref{Cint}, Ref{Cint}),
                p, n, m, size))
    all, n = zeros(size[]), Int(n[])
    check(ccall((:daemark_initial, lib), Cint,
                (Ptr{Cvoid}, Ref{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}), p, start, all, C_NULL))
    y, k, h = all[1:2n], zeros(2n), (t_end - start[]) / steps
    println(join(["t"; [name(p, i) for i in 0:2n-1]], ","))
    println(join([start[]; y], ","))
    for step in 1:steps
        t, sum = start[] + (step - 1) * h, copy(y)
        fill!(k, 0)
        for (node, weight) in ((0, 1 / 6), (1 / 2, 1 / 3), (1 / 2, 1 / 3), (1, 1 / 6))
            rates!(k, p, t + node * h, y + h * node * k, n)
            sum += h * weight * k
        end
        y = sum
        println(join([start[] + step * h; y], ","))
    end
    ccall((:daemark_close, lib), Cvoid, (Ptr{Cvoid},), p)
end

main(get(ARGS, 1, "two_link"), parse(Float64, get(ARGS, 2, "1")), parse(Int, get(ARGS, 3, "1000")))
