"""PyWavelets on float32: its transforms promise to keep it."""

import numpy as np
import pywt
from show import noise, show

x, image = noise(256), noise(32, 32, seed=1)

show("dwt", *pywt.dwt(x, "db4"))
show("idwt", pywt.idwt(*pywt.dwt(x, "db4"), "db4"))
show("wavedec", *pywt.wavedec(x, "sym5", level=3))
show("waverec", pywt.waverec(pywt.wavedec(x, "sym5", level=3), "sym5"))
show("swt", *pywt.swt(x, "haar", level=2)[0])
show("iswt", pywt.iswt(pywt.swt(x, "db2", level=2), "db2"))
show("iswt2", pywt.iswt2(pywt.swt2(image, "db2", level=2), "db2"))
show("iswtn", pywt.iswtn(pywt.swtn(image, "db2", level=2), "db2"))
show("waverec2", pywt.waverec2(pywt.wavedec2(image, "db2", level=2), "db2"))
show("mra", *pywt.mra(x, "db2", level=2))
show("fswavedecn", pywt.fswavedecn(image, "db2", levels=2).coeffs)
show("cwt", *pywt.cwt(x, np.arange(1, 9, dtype=np.float32), "cmor1.5-1.0"))
show("threshold soft", pywt.threshold(x, 0.5, "soft"))
show("threshold garrote", pywt.threshold(x, 0.5, "garrote"))
show("threshold_firm", pywt.threshold_firm(x, 0.5, 1.0))
packet = pywt.WaveletPacket(x, "db1", maxlevel=3)
show("WaveletPacket", packet["ad"].data, packet.reconstruct(update=False))
show("upcoef", pywt.upcoef("a", x, "db2", level=2))
show("pad", pywt.pad(x, 8, "symmetric"))
show("pad antireflect", pywt.pad(x, 8, "antireflect"))
