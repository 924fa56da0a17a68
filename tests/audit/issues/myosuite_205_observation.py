"""MyoHub/myosuite#205: observations are float64, as the simulator is.

The state of the simulator is float64, so observations are float64, while the space says float32.
"""

import numpy as np


class Box:
    def __init__(self, size, dtype=np.float32):
        self.shape, self.dtype = (size,), np.dtype(dtype)

    def contains(self, x):
        return x.shape == self.shape and np.can_cast(x.dtype, self.dtype)


class Simulator:
    def __init__(self, joints):
        self.qpos = np.zeros(joints)  # <- widening
        self.qvel = np.zeros(joints)

    def step(self, force, dt=0.01):
        self.qvel += dt * (force - self.qpos)
        self.qpos += dt * self.qvel


class ElbowEnv:
    def __init__(self, joints=4):
        self.sim = Simulator(joints)
        self.act = np.zeros(joints, dtype=np.float32)
        self.observation_space = Box(3 * joints)

    def observation(self):
        obs = {"qpos": self.sim.qpos.copy(), "qvel": self.sim.qvel.copy(), "act": self.act}
        return np.concatenate([np.ravel(obs[key]) for key in ("qpos", "qvel", "act")])  # <- widening
        # fixed: return np.concatenate([np.ravel(obs[key]) for key in ("qpos", "qvel", "act")]).astype(np.float32)

    def step(self, action):
        self.act = 0.9 * self.act + 0.1 * action
        self.sim.step(self.act)
        return self.observation()


env = ElbowEnv()
rng = np.random.default_rng(0)
for _ in range(30):
    observation = env.step(rng.uniform(0, 1, 4).astype(np.float32))
print(observation.dtype, "in the space:", env.observation_space.contains(observation))
