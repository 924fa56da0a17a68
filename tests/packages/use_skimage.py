"""scikit-image on float32: most of its functions promise to keep it."""

import numpy as np
from show import noise, show
from skimage import (
    color,
    exposure,
    feature,
    filters,
    measure,
    morphology,
    restoration,
    segmentation,
    transform,
)

image = noise(64, 64)
image -= image.min()
image /= image.max()
photo = np.stack([image, image.T, image[::-1]], axis=-1)

show("filters.gaussian", filters.gaussian(image, 2.0))
show("filters.sobel", filters.sobel(image))
show("filters.unsharp_mask", filters.unsharp_mask(image, radius=2.0))
show("filters.butterworth", filters.butterworth(image))
show("filters.frangi", filters.frangi(image, sigmas=[1, 2]))
show("filters.threshold_otsu", filters.threshold_otsu(image))
show("exposure.equalize_adapthist", exposure.equalize_adapthist(image))
show("exposure.equalize_hist", exposure.equalize_hist(image))
show("exposure.adjust_gamma", exposure.adjust_gamma(image, 0.7))
show("exposure.rescale_intensity", exposure.rescale_intensity(image, out_range=(0.0, 0.5)))
show("restoration.denoise_tv_chambolle", restoration.denoise_tv_chambolle(image, weight=0.1))
show("restoration.denoise_bilateral", restoration.denoise_bilateral(image))
show("restoration.richardson_lucy", restoration.richardson_lucy(image, image[:5, :5], num_iter=3))
show("restoration.wiener", restoration.wiener(image, image[:5, :5], 0.1))
show("transform.resize", transform.resize(image, (32, 32)))
show("transform.rotate", transform.rotate(image, 30.0))
show("transform.radon", transform.radon(image, theta=np.arange(0, 180, 30, dtype=np.float32)))
show("color.rgb2lab", color.rgb2lab(photo))
show("color.rgb2hsv", color.rgb2hsv(photo))
show("feature.hessian_matrix", *feature.hessian_matrix(image, use_gaussian_derivatives=False))
show("feature.corner_harris", feature.corner_harris(image))
show("measure.blur_effect", measure.blur_effect(image))
show("morphology.dilation", morphology.dilation(image))
show("segmentation.chan_vese", segmentation.chan_vese(image, max_num_iter=3))
