"""statsmodels on float32, which promises nothing."""

import numpy as np
from show import noise, show
from statsmodels.nonparametric.kde import KDEUnivariate
from statsmodels.nonparametric.smoothers_lowess import lowess
from statsmodels.regression.linear_model import OLS
from statsmodels.regression.quantile_regression import QuantReg
from statsmodels.robust.norms import HuberT
from statsmodels.robust.robust_linear_model import RLM
from statsmodels.robust.scale import mad
from statsmodels.tools.tools import add_constant
from statsmodels.tsa.ar_model import AutoReg
from statsmodels.tsa.filters.hp_filter import hpfilter
from statsmodels.tsa.seasonal import seasonal_decompose
from statsmodels.tsa.stattools import acf, pacf

x, data = noise(240), noise(120, 3, seed=1)
target = data @ np.float32([1, 2, 3]) + noise(120, seed=2)
design = add_constant(data)

show("add_constant", design)
show("OLS", OLS(target, design).fit().fittedvalues, OLS(target, design).fit().bse)
show("RLM", RLM(target, design, M=HuberT()).fit().params)
show("QuantReg", QuantReg(target, design).fit(0.5).params)
show("AutoReg", AutoReg(x, 2).fit().params)
show("mad", mad(x))
show("acf", acf(x, nlags=8))
show("pacf", pacf(x, nlags=4))
show("hpfilter", *hpfilter(x))
decomposed = seasonal_decompose(x, period=12)
show("seasonal_decompose", decomposed.trend, decomposed.seasonal)
show("lowess", lowess(x, np.arange(240, dtype=np.float32), frac=0.2))
density = KDEUnivariate(x)
density.fit()
show("KDEUnivariate", density.density)
