"""mit-han-lab/lite-transformer#32: a division whose output is an array of integers stops.

``torch.div`` gives floats since PyTorch 1.6, which have no place in the output.
"""

# raises: RuntimeError

import torch


class BeamSearch:
    def __init__(self, vocab, beams):
        self.vocab = vocab
        self.scores = torch.empty(0)
        self.indices = torch.empty(0, dtype=torch.long)
        self.origins = torch.empty(0, dtype=torch.long)
        self.beams = beams

    def step(self, logprobs):
        flat = logprobs.reshape(logprobs.shape[0], -1)
        self.scores, self.indices = torch.topk(flat, self.beams * 2)
        self.origins.resize_(self.indices.shape)
        torch.div(self.indices, self.vocab, out=self.origins)  # <- stopped
        # fixed: torch.floor_divide(self.indices, self.vocab, out=self.origins)
        self.indices.fmod_(self.vocab)
        return self.scores, self.indices, self.origins


def main():
    torch.manual_seed(4)
    search = BeamSearch(vocab=11, beams=3)
    scores = torch.log_softmax(torch.randn(2, 3, 11), dim=-1)
    best, tokens, beams = search.step(scores)
    print("scores", [round(v, 3) for v in best[0].tolist()])
    print("tokens", tokens.tolist())
    print("beams", beams.tolist())


if __name__ == "__main__":
    main()
