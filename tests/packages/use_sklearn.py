"""scikit-learn on float32: many of its estimators promise to keep it."""

import numpy as np
from show import noise, show
from sklearn import decomposition, kernel_approximation, linear_model, preprocessing
from sklearn.cluster import KMeans
from sklearn.cross_decomposition import PLSRegression
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.impute import SimpleImputer
from sklearn.metrics.pairwise import cosine_similarity, euclidean_distances, rbf_kernel
from sklearn.mixture import GaussianMixture
from sklearn.neural_network import MLPRegressor

data = noise(120, 6)
target = data @ np.arange(1, 7, dtype=np.float32) + noise(120, seed=1)
rows = data[:8]

show("preprocessing.StandardScaler", preprocessing.StandardScaler().fit_transform(data))
show("preprocessing.PolynomialFeatures", preprocessing.PolynomialFeatures(2).fit_transform(data))
spline = preprocessing.SplineTransformer(n_knots=4)
show("preprocessing.SplineTransformer", spline.fit_transform(data))
show("preprocessing.PowerTransformer", preprocessing.PowerTransformer().fit_transform(data))
quantile = preprocessing.QuantileTransformer(n_quantiles=20)
show("preprocessing.QuantileTransformer", quantile.fit_transform(data))
show("impute.SimpleImputer", SimpleImputer().fit_transform(np.where(data > 2, np.nan, data)))
show("decomposition.PCA", decomposition.PCA(3).fit_transform(data))
show("decomposition.FastICA", decomposition.FastICA(3, random_state=0).fit_transform(data))
show("decomposition.FactorAnalysis", decomposition.FactorAnalysis(2).fit_transform(data))
nystroem = kernel_approximation.Nystroem(n_components=8, random_state=0)
show("kernel_approximation.Nystroem", nystroem.fit_transform(data))
show("linear_model.Ridge", linear_model.Ridge().fit(data, target).predict(rows))
show("linear_model.Lasso", linear_model.Lasso().fit(data, target).predict(rows))
show("linear_model.BayesianRidge", linear_model.BayesianRidge().fit(data, target).predict(rows))
logistic = linear_model.LogisticRegression().fit(data, target > 0)
show("linear_model.LogisticRegression", logistic.predict_proba(rows))
show("cluster.KMeans", KMeans(3, n_init=1, random_state=0).fit(data).cluster_centers_)
show("mixture.GaussianMixture", GaussianMixture(2, random_state=0).fit(data).predict_proba(rows))
network = MLPRegressor(hidden_layer_sizes=(8,), max_iter=3, random_state=0)
show("neural_network.MLPRegressor", network.fit(data, target).predict(rows))
show("cross_decomposition.PLSRegression", PLSRegression(2).fit(data, target).predict(rows))
process = GaussianProcessRegressor().fit(data[:30], target[:30])
show("gaussian_process.GaussianProcessRegressor", process.predict(rows))
show("metrics.pairwise.euclidean_distances", euclidean_distances(rows))
show("metrics.pairwise.cosine_similarity", cosine_similarity(rows))
show("metrics.pairwise.rbf_kernel", rbf_kernel(rows))
