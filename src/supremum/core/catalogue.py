"""The catalogue of functions, as data: what sort each is, how it is called, and what it follows.

Each heading is a sort, a call, and "like" with the function that is followed; then come the
functions, each with its other spellings after ``=``. Spellings are those of any library.

In a call ``x``, ``y`` and ``z`` are operands, in capitals those that may be left out, ``m`` and
``n`` operands that are square matrices, ``c`` is an array of conditions and ``i`` one of indices;
the rest stands for parameters, which do not take part in promotion. A list, or three dots, takes
any number of operands. A function with several results is listed once for each, as ``frexp[0]``
and ``frexp[1]``.

Then come facts of functions beside the dtypes that they give: each heading is a fact, with the
functions of which it holds. Some of these are in no library's rules, and have no sort.
"""

from __future__ import annotations

from typing import Final

CATALOGUE: Final = """
# operators and other functions of each element
elementwise (x,y): add subtract=sub multiply=mul true_divide=divide=div=truediv=true_div
    floor_divide=floordiv remainder=mod=floormod power=pow bitwise_and=bit_wise_and
    left_shift=bitwise_left_shift=shift_left
    maximum=max_element_wise equal=eq less=lt logical_and float_power gcd fmod heaviside ldexp
    xlogy polar complex
elementwise (x,y) like equal: not_equal=ne=neq isclose
elementwise (x,y) like less: less_equal=le greater=gt greater_equal=ge
elementwise (x,y) like bitwise_and: bitwise_or=bit_wise_or bitwise_xor=bit_wise_xor
elementwise (x,y) like left_shift: right_shift=bitwise_right_shift=shift_right
elementwise (x,y) like maximum: minimum=min_element_wise fmax fmin
elementwise (x,y) like maximum: fill_null
elementwise (x,y) like logical_and: logical_or logical_xor
elementwise (x,y) like sin: hypot atan2=arctan2 copysign logaddexp logaddexp2 nextafter
elementwise (x,y) like gcd: lcm
elementwise (x,y) like floor_divide: divmod[0]
elementwise (x,y) like remainder: divmod[1]
elementwise (x,y) like xlogy: xlog1py zeta igamma=gammainc igammac=gammaincc
    chebyshev_polynomial_t chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w
    hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p
    shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u
    shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w
elementwise (x,y) like subtract: pairwise_distance
elementwise (x): negative=neg=negate invert=bitwise_invert=bitwise_not abs=absolute sin floor
    isfinite=is_finite logical_not positive conj=conjugate signbit square=sqr
    spacing bitwise_count relu frac softmax real_if_close
elementwise (x,0): round=around
elementwise (x) like isfinite: isinf=is_inf isnan=is_nan isneginf isposinf iscomplex isreal isnat
elementwise (x) like isnan: isnull=isna=is_null notnull=notna=is_not_null=is_valid
elementwise (x) like sin: acos=arccos acosh=arccosh asin=arcsin asinh=arcsinh atan=arctan
    atanh=arctanh cos cosh exp expm1 log=ln log1p log2 log10 reciprocal
    sinh sqrt tan tanh exp2 cbrt deg2rad rad2deg sinc fabs i0
    rsqrt sigmoid=expit erf erfc erfinv lgamma=gammaln digamma=psi logit
    i0e i1 i1e entr erfcx log_ndtr ndtr ndtri airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1
    modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1
    scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0
elementwise (x) like deg2rad: radians
elementwise (x) like rad2deg: degrees
elementwise (x) like floor: ceil trunc=fix rint
elementwise (x) like negative: sign sgn
elementwise (x) like abs: imag real
elementwise (x) like sin: frexp[0] modf[0] modf[1]
elementwise (x) like argmax: frexp[1]
elementwise (x) like conj: conj_physical resolve_conj resolve_neg
elementwise (x) like relu: selu celu hardshrink=hard_shrink rrelu elu leaky_relu relu6
    hardtanh=hard_tanh
elementwise (x) like sin: gelu silu=swish mish softplus logsigmoid=log_sigmoid
    softsign=soft_sign hardsigmoid=hard_sigmoid hardswish=hard_swish=hard_silu
    tanhshrink=tanh_shrink softshrink=soft_shrink log1mexp sparse_plus sparse_sigmoid squareplus
    gamma gammasgn factorial spence exp1 expi
elementwise (x,0) like softmax: log_softmax softmin
elementwise (1,x) like sin: polygamma
elementwise (x,1) like sin: mvlgamma=multigammaln
elementwise (x,0.5,True) like relu: dropout alpha_dropout
elementwise (m,0.5,True) like relu: feature_alpha_dropout
elementwise (x,1,1) like relu: threshold
elementwise (x,Y,Z): clip=clamp=clip_by_value
elementwise (x,y,z): addcmul
elementwise (x,y,z) like addcmul: addcdiv
elementwise (x,y,0.5) like add: lerp
condition (c,x,y): where=if_else=switch
condition (c,x,y) like where: lax.select
condition ([c,c],[x,y]) like where: select
part (x): diff=pairwise_diff nan_to_num ediff1d
part (x,Y,Z) like mean: gradient
part (x) like sin: unwrap
part (x) like true_divide: pct_change

# reductions, and what runs along an axis
reduction (x): sum=add.reduce=reduce_sum prod=multiply.reduce=product=reduce_prod mean=reduce_mean
    max=amax=reduce_max std=stddev=reduce_std argmax=arg_max all=reduce_all any=reduce_any
reduction (x) like sum: nansum hash_tensor
reduction (m) like sum: trace
reduction (x) like prod: nanprod
reduction (x) like mean: median average nanmean nanmedian
    logsumexp=reduce_logsumexp logmeanexp
reduction (x,0.5) like median: quantile nanquantile
reduction (x,50) like median: percentile nanpercentile
reduction (x) like max: min=amin=reduce_min ptp nanmax nanmin mode[0] aminmax[0] aminmax[1]
    first last
reduction (x,1) like max: kthvalue[0] topk[0]=top_k[0]
reduction (x) like std: var=variance=reduce_variance nanstd nanvar skew kurtosis=kurt sem
    std_mean[0] std_mean[1] var_mean[0] var_mean[1]
reduction (x) like argmax: argmin=arg_min nanargmax nanargmin mode[1]
    nunique=n_unique null_count count
reduction (x,1) like argmax: kthvalue[1] topk[1]=top_k[1]
reduction (x,0) like argmax: max[1] min[1] median[1] nanmedian[1]
reduction (x) like all: logical_and.reduce=logical_and.accumulate
    logical_or.reduce=logical_or.accumulate logical_xor.reduce=logical_xor.accumulate
reduction (x) like max: maximum.reduce=maximum.accumulate minimum.reduce=minimum.accumulate
    fmax.reduce=fmax.accumulate fmin.reduce=fmin.accumulate
reduction (x) like subtract: subtract.reduce=subtract.accumulate
reduction (x) like true_divide:
    true_divide.reduce=divide.reduce=true_divide.accumulate=divide.accumulate
reduction (x) like floor_divide: floor_divide.reduce=floor_divide.accumulate
reduction (x) like remainder: remainder.reduce=mod.reduce=remainder.accumulate=mod.accumulate
    fmod.reduce=fmod.accumulate
reduction (x) like power: power.reduce=pow.reduce=power.accumulate=pow.accumulate
reduction (x) like float_power: float_power.reduce=float_power.accumulate
reduction (x) like bitwise_and: bitwise_and.reduce=bitwise_and.accumulate
    bitwise_or.reduce=bitwise_or.accumulate bitwise_xor.reduce=bitwise_xor.accumulate
reduction (x) like left_shift:
    left_shift.reduce=left_shift.accumulate=bitwise_left_shift.reduce=bitwise_left_shift.accumulate
    right_shift.reduce=right_shift.accumulate=bitwise_right_shift.reduce=bitwise_right_shift.accumulate
reduction (x) like ldexp: ldexp.reduce ldexp.accumulate
reduction (x) like gcd: gcd.reduce=gcd.accumulate lcm.reduce=lcm.accumulate
reduction (x) like atan2: arctan2.reduce=arctan2.accumulate=atan2.reduce=atan2.accumulate
    hypot.reduce=hypot.accumulate
    copysign.reduce=copysign.accumulate nextafter.reduce=nextafter.accumulate
    logaddexp.reduce=logaddexp.accumulate logaddexp2.reduce=logaddexp2.accumulate
    heaviside.reduce=heaviside.accumulate
reduction (x) like equal: equal.reduce=equal.accumulate not_equal.reduce=not_equal.accumulate
reduction (x) like less: less.reduce=less.accumulate less_equal.reduce=less_equal.accumulate
    greater.reduce=greater.accumulate greater_equal.reduce=greater_equal.accumulate
cumulative (x) like sum: cumulative_sum
cumulative (x) like cumulative_sum: cumsum=add.accumulate=cum_sum nancumsum
cumulative (x) like prod: cumulative_prod=cumprod=cum_prod=multiply.accumulate nancumprod
cumulative (x,0) like max: cummax[0]=cum_max[0] cummin[0]=cum_min[0]
cumulative (x,0) like argmax: cummax[1] cummin[1]
cumulative (x,0) like sin: logcumsumexp
index (x): argsort=arg_sort=array_sort_indices nonzero=nonzero[0] bincount count_nonzero argwhere
    flatnonzero
index (x,size=1) like argsort: nonzero_static
index (m) like argsort: tril_indices_from[0] triu_indices_from[0] diag_indices_from[0]
index ([x],(9,)) like argsort: ravel_multi_index
index (x,1) like argsort: multinomial
index (x,1) like argsort: argpartition
index ([x,y]) like argsort: lexsort
index (x,y): searchsorted
index (x,y) like searchsorted: digitize bucketize
estimate (x) like mean: trapezoid=trapz cumulative_trapezoid

# products and sums of products
contraction (x,y): matmul
contraction (x,y) like matmul: vecdot dot vdot inner convolve correlate
contraction (m,n) like matmul: tensordot mm
contraction (m,x) like matmul: matvec
contraction (x,m) like matmul: vecmat
contraction (m,y) like matmul: mv
contraction (m[None],n[None]) like matmul: bmm
contraction (x,m,n) like matmul: addmm
contraction (m[0],m,n[0]) like matmul: addmv
contraction (m,n[0],n[0]) like matmul: addr
contraction (m,m[None],n[None]) like matmul: addbmm
contraction (m[None],m[None],n[None]) like matmul: baddbmm
product ('i,i',x,y,...) like matmul: einsum
contraction ([m,n]) like matmul: multi_dot
contraction (m,n) like matmul: chain_matmul
product (x,y) like multiply: cross outer=ger kron polyval
product (x,y) like outer: linalg.outer
product (x,y) like cross: linalg.cross
product (m,n) like true_divide: cdist cosine_similarity
product (m) like true_divide: pdist

# several arrays in one, and sets
sequence ([x,y]): concat=concatenate=cat
sequence ([x,y]) like concat: stack hstack vstack=row_stack dstack column_stack block block_diag
    bmat
sequence (x,y) like concat: append
sequence (x,y,...) like concat: cartesian_prod
sequence (x,0,y) like concat: insert
sequence (x,y,...) like same: meshgrid[0] broadcast_arrays[0]=broadcast_tensors[0]
sequence (x,y) like concat: union1d intersect1d setxor1d
sequence (x,y) like unique: setdiff1d
sequence (x,y) like equal: isin

# linear algebra
linalg (m): inv=inverse
linalg (m) like inv: cholesky det eigvals eigvalsh pinv=pinverse svdvals matrix_exp logdet
    cholesky_inverse lu_factor[0] inv_ex[0] cholesky_ex[0] ldl_factor[0] geqrf[0] geqrf[1]
    linalg.lu[0] linalg.lu[1] linalg.lu[2] lu[0] lu_factor_ex[0] ldl_factor_ex[0]
    svd_lowrank[0] svd_lowrank[1] svd_lowrank[2] pca_lowrank[0] pca_lowrank[1] pca_lowrank[2]
linalg (m) like inv: eig[0] eig[1] eigh[0] eigh[1] qr[0] qr[1] slogdet[0] slogdet[1] svd[0] svd[1]
    svd[2]
linalg (m) like norm: cond
linalg (m) like inv: matrix_rank
linalg (m) like argmax: lu_factor[1] inv_ex[1] cholesky_ex[1] ldl_factor[1]
    lu[1] lu_factor_ex[1] lu_factor_ex[2] ldl_factor_ex[1] ldl_factor_ex[2]
linalg (m,n) like inv: solve lstsq[0] lstsq[1] lstsq[3] cholesky_solve solve_ex[0]
    triangular_solve[0] triangular_solve[1]
linalg (m,y) like solve: tensorsolve orgqr=householder_product
linalg (m,x,n) like inv: ormqr
linalg (m,1) like inv: lobpcg[0] lobpcg[1]
linalg (m,i.int()) like inv: lu_unpack[0] lu_unpack[1] lu_unpack[2]
linalg (m,n,i.int()) like inv: lu_solve
linalg (m,i.int(),n) like inv: ldl_solve
linalg (m,n,upper=True) like inv: solve_triangular
linalg (m[:,None],1) like inv: tensorinv
linalg (m,n) like argmax: lstsq[2] solve_ex[1]
norm (x): norm
norm (x,y) like subtract: dist
norm (x) like norm: vector_norm norm_max norm_sum
norm (m) like norm: matrix_norm
angle (x) like norm: angle

# statistics and polynomials
estimate (x): cov corrcoef vander poly
estimate (x,y,z): interp
estimate (x,y,1): polyfit
estimate (x,y) like add: polyadd polysub
estimate (x,y) like multiply: polymul
estimate (x,y) like true_divide: polydiv[0] polydiv[1]
estimate (x) like multiply: polyder
estimate (x) like true_divide: polyint
estimate (x) like eigvals: roots
estimate (x) like argmax: histogram[0]
estimate (x,y) like argmax: histogram2d[0]
estimate (m) like argmax: histogramdd[0]
estimate (x) like linspace: histogram[1] histogram_bin_edges histc
estimate (m,2,0,1) like mean: renorm

# Fourier transforms
transform (x): fft rfft irfft
transform (x) like fft: ifft
transform (m) like fft: fft2 ifft2 fftn ifftn
transform (x) like rfft: ihfft
transform (m) like rfft: rfft2 rfftn ihfft2 ihfftn
transform (x) like irfft: hfft
transform (m) like irfft: irfft2 irfftn hfft2 hfftn
transform (x,4,return_complex=True) like rfft: stft
transform (m,4) like irfft: istft

# layers of networks, and losses
layer (x,y[0]) like relu: prelu
layer (x,y): binary_cross_entropy_with_logits hinge_embedding_loss kl_div mse_loss l1_loss
    smooth_l1_loss huber_loss binary_cross_entropy
layer (m,n) like mse_loss: multilabel_soft_margin_loss
layer (m,i) like mean: cross_entropy nll_loss multi_margin_loss
layer (m,n,Z) like matmul: linear
layer (m,n,n) like matmul: scaled_dot_product_attention
layer (x,y,True,False,1e-8,1) like kl_div: poisson_nll_loss
layer (x,y,z) like kl_div: margin_ranking_loss triplet_margin_loss
layer (m,n,z) like kl_div: cosine_embedding_loss
layer (m[:,None],i[None],(3,),(1,)) like relu: ctc_loss
layer (m[None],n[None]) like matmul: conv1d
layer (m[None,None],n[None,None]) like matmul: conv2d conv_transpose2d
layer (m[None,None,None],n[None,None,None]) like matmul: conv3d conv_transpose3d
layer (m[None],n[:,None]) like matmul: conv_transpose1d
layer (m[:,None],n[None],z) like matmul: conv_tbc
layer (m,n,n[None]) like matmul: bilinear
layer (m[None],1) like mean: avg_pool1d adaptive_avg_pool1d avg_pool2d adaptive_avg_pool2d
    local_response_norm
layer (m[None],2,1) like mean: lp_pool1d lp_pool2d
layer (m[None,None],1) like mean: avg_pool3d adaptive_avg_pool3d
layer (m[None],2) like mean: interpolate=upsample
layer (m[None,:2],1) like sin: glu
layer (m) like mean: normalize standardize
layer (x) like mean: gumbel_softmax
layer (m[None]) like relu: dropout1d dropout2d
layer (m[None,None]) like relu: dropout3d
layer (x,3): one_hot
layer (m[None],1) like max: max_pool1d max_pool2d adaptive_max_pool1d[0] adaptive_max_pool2d
layer (m[None],1) like argmax: adaptive_max_pool1d[1]
layer (m[None,None],1) like max: max_pool3d adaptive_max_pool3d
layer (m,1) like mean: group_norm
layer (m,(3,)) like mean: layer_norm rms_norm
layer (m,None,None,None,None,True,0.1,1e-5,True) like mean: batch_norm
layer (m[None],None,None,None,None,True,0.1,1e-5,True) like mean: instance_norm
layer (i,m) like same: nn.functional.embedding
layer (m,i,i*0) like same: embedding_bag[0]
layer (m,i,i*0) like argmax: embedding_bag[1] embedding_bag[2] embedding_bag[3]

# the elements of one array, or some of them, elsewhere
shape (x): same
shape (x) like same: ravel flatten squeeze copy=clone sort msort flip=reverse flipud sort_complex
    diag
    diagflat unique=unique_values unique_consecutive trim_zeros atleast_1d atleast_2d atleast_3d
    zeros_like ones_like empty_like unstack=unbind fftshift ifftshift contiguous detach view_as_real
    diag_embed asmatrix from_dlpack poisson combinations ix_[0] unique_all[0] unique_counts[0]
    unique_inverse[0] stop_gradient
shape (x) like same: sort_values sort_index dropna=drop_nulls=drop_null
    drop_duplicates persist
shape (x,2) like same: head tail rechunk nlargest nsmallest
shape (x,2) like mean: rolling_mean rolling_sum rolling_std rolling_var rolling_max rolling_min
shape (x,1) like same: shift
shape (x,0) like same: fillna
shape (x) like equal: duplicated=is_duplicated is_unique is_first_distinct
shape (x,0,2) like equal: between=is_between
shape (x) like argsort: rank
shape (m) like same: transpose=t matrix_transpose=adjoint fliplr rot90 diagonal linalg.diagonal triu
    tril
shape (m[:2].reshape(3,2)) like same: view_as_complex
shape (x,0) like same: expand_dims=unsqueeze
shape (x,-1) like same: reshape
shape (x,1) like same: roll repeat=repeat_interleave tile pad partition array_split[0]
    split[0]=chunk[0]=tensor_split[0] hsplit[0]
shape (m,1) like same: vsplit[0]
shape (m[None],1) like same: dsplit[0]
shape (x,(3,)) like same: broadcast_to=expand resize new_empty new_zeros new_ones
shape (x,(3,),1) like same: new_full
shape (x,(3,),(1,)) like same: as_strided new_empty_strided
shape (x) like same: permutation=permuted choice
shape (x,y) like same: expand_as reshape_as view_as new_tensor type_as
shape (m[None],1) like same: pixel_shuffle pixel_unshuffle
shape (m[None,:,:,None],3) like same: channel_shuffle
shape (x,0,(3,1)) like same: unflatten
shape (m,0,1) like same: swapaxes=swapdims moveaxis=movedim
shape (m,1) like same: rollaxis
shape (m,2) like same: matrix_power
shape (i,[x,y]) like same: choose
shape (m,(1,0)) like same: permute_dims=permute
shape (c,x) like same: compress extract
shape (x,c) like same: masked_select=filter
shape (x,i) like same: take
shape (x,i,0) like same: take_along_axis=take_along_dim
shape (x,0,i) like same: gather index_select
shape (x,0) like same: delete
shape (x,0,0,1) like same: narrow narrow_copy
shape (x,0,1,1) like same: unfold
shape (x,c,0) like same: masked_fill
shape (x,0,i,0) like same: index_fill
shape (x,c,y) like same: masked_scatter place
shape (x,i,y) like same: put
shape (x,(i,),y) like same: index_put
shape (x,i,y,0) like same: put_along_axis
shape (x,0,i,y,'amax') like same: index_reduce scatter_reduce
shape (x,'max',lengths=i) like same: segment_reduce
shape (m,y) like same: fill_diagonal diagonal_scatter
shape (m,x,0,0) like same: select_scatter
shape (x,y) like same: slice_scatter
shape (x,y,(3,),(1,)) like same: as_strided_scatter
shape (x) like argsort: unique_all[1] unique_all[2] unique_all[3] unique_counts[1]
    unique_inverse[1] sort[1]
index (x,(3,)) like argsort: unravel_index=unravel_index[0]
index (x,0,i,y) like same: scatter scatter_add index_add index_copy
bits (x): packbits unpackbits

# arrays that are made
fill ((3,),x[0]): full
fill (x,1): full_like
fill (x,1) like same: fill
float (3): zeros ones empty eye identity fftfreq
float (3) like fftfreq: rfftfreq
float (3) like zeros: hanning hamming blackman bartlett tri hann_window hamming_window
    blackman_window bartlett_window kaiser_window
float ((3,),(1,)) like zeros: empty_strided
float ((3,),(0,)) like zeros: empty_permuted
float (3,1.0) like zeros: kaiser
float (x,y): linspace
float (x,y) like linspace: logspace geomspace
random (3): standard_normal random=random_sample standard_exponential standard_gamma rand randn
    normal uniform
random (x) like same: rand_like randn_like bernoulli
random (x,3) like same: randint_like
random (x,y) like same: binomial
count (x[0],...): arange
random (3) like normal: exponential laplace gumbel logistic lognormal rayleigh
count (3,(3,)) like argsort: randint
count (3,(3,)) like randint: integers
count (2.0,(3,)) like randint: random.poisson
count ((3,)) like argsort: indices=indices[0]
count (3) like argsort: tril_indices[0] triu_indices[0] diag_indices[0] randperm
conversion (x): asarray=convert_to_tensor=as_tensor_variable array=constant asanyarray
    ascontiguousarray asfortranarray asarray_chkfinite require
cast (x): astype type to short view as_tensor tensor from_numpy to_numpy cast
    convert_element_type numpy item frombuffer
read (x): fromiter fromfunction loadtxt genfromtxt fromfile fromstring read_csv
    Series
store (x,y) like add: iadd
"""

# How the functions that stand for others are written.
WRITTEN: Final = {
    "add": "x + y", "subtract": "x - y", "multiply": "x * y", "true_divide": "x / y",
    "floor_divide": "x // y", "remainder": "x % y", "power": "x ** y", "matmul": "x @ y",
    "equal": "x == y", "not_equal": "x != y", "less": "x < y", "less_equal": "x <= y",
    "greater": "x > y", "greater_equal": "x >= y", "bitwise_and": "x & y", "bitwise_or": "x | y",
    "bitwise_xor": "x ^ y", "left_shift": "x << y", "right_shift": "x >> y", "negative": "-x",
    "positive": "+x", "invert": "~x", "iadd": "x += y",
}  # fmt: skip

FACTS: Final = """
# arguments: a parameter for a dtype, which those that make arrays have as well; what computes in
# the dtype that it is given all the same; and, in NumPy, where it is, and where an array for the
# result is, if that is not after the operands
takes dtype: mean sum prod cumulative_sum cumulative_prod var std average concat stack hstack
    vstack zeros_like ones_like full full_like tensor as_tensor frombuffer softmax log_softmax
    softmin
squares before dtype: nanstd nanvar
dtype 0: astype view
dtype 1: array asarray asanyarray ascontiguousarray asfortranarray zeros empty fromiter frombuffer
    fromfile fromstring
dtype 3: arange
out 2: max min ptp argmax argmin all any median nanmax nanmin nanmedian dot outer matmul
out 3: sum prod mean std var nansum nanprod nanmean nanstd nanvar cumsum cumulative_prod nancumsum
    nancumprod quantile percentile nanquantile nanpercentile compress take
out 5: trace

# results without dimensions, which are scalars in NumPy: those that are arrays there, and those
# that are what the operand is
flat array: i0 real_if_close where select isin tensordot cross linalg.cross cov copy zeros_like
    ones_like empty_like full_like roll broadcast_to expand_dims broadcast_arrays[0]
flat same: same real imag reshape squeeze transpose permute_dims matrix_transpose swapaxes moveaxis
    view astype

# what has no axis 0 of an array without dimensions, though other reductions have, in NumPy
no flat axis: mean std var median nanmedian average quantile nanquantile percentile nanpercentile
    trapezoid

# random numbers without a size are Python's in NumPy, but for those that are scalars
draws scalars: integers

# values: what adds up floats, or their squares; what may leave the range of integers, gives
# differences of them, and is right but for a multiple of that range; what gives whole numbers of
# any; what takes a number that has no place in the dtype of its array; what counts, or is only
# counted; what reads values from bytes
sums: sum nansum cumulative_sum cumsum nancumsum mean nanmean average trace dot matmul vdot inner
    trapezoid
squares: std var nanstd nanvar norm
wraps: add subtract multiply power left_shift floor_divide negative abs square diff ediff1d ptp
    trace matrix_power multi_dot chain_matmul polyadd polysub polymul polyder polyval
differs: subtract diff ediff1d ptp
modular: add subtract multiply
whole: sign sgn floor ceil trunc rint round
takes any number: power left_shift right_shift clip clamp_min clamp_max minimum fmin
ranks: rank rankdata histogram histogram2d histogramdd value_counts bitwise_count
reads bytes: frombuffer fromfile fromfunction fromstring memmap view

# what is stored in the first argument, by itself or with a suffix: after it, the position of what
# is put there, fills it, or is computed with it, and its name
puts 0 src other: copyto copy
puts 1 v values vals source: put put_along_axis putmask place index_put masked_scatter
puts 2 source src value: index_add index_copy index_reduce scatter scatter_add scatter_reduce
fills 0 value fill_value val: fill fill_diagonal
fills 1 value: masked_fill
fills 2 value: index_fill
computes 0 end: lerp
computes 0 min max: clamp_min clamp_max
computes 0 min 1 max: clip
computes 0 tensor1 1 tensor2: addcdiv addcmul
computes 1: at
changes: at copyto fill fill_diagonal place put put_along_axis putmask

# arrays of one number, which is their second argument, or `fill_value`
filled: full full_like new_full

# arrays whose values nobody has set
without values: empty empty_like new_empty empty_strided new_empty_strided

"""
