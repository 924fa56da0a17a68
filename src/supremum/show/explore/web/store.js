// The data of the page: what Python answers, packed by encode.py.

const NOTHING = 0xffff;

async function load(text) {
  const packed = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  const size = new DataView(bytes).getUint32(0, true);
  const known = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, size)));
  known.block = new Uint16Array(bytes, 4 + size + (size % 2));
  known.byName = new Map(known.dtypes.map((d, i) => [d.name, i]));
  known.byCode = new Map(known.dtypes.flatMap((d, i) => (d.code ? [[d.code, i]] : [])));
  known.bySystem = new Map(known.systems.map((s) => [s.name, s]));
  for (const s of known.systems.flatMap((own) => (own.other ? [own, own.other] : [own]))) {
    s.numbers = s.numbers.map(([kind, low, single]) => [kind, kind === "int" && low ? BigInt(low) : low, single]);
    s.has = new Set(s.dtypes);
  }
  return known;
}

// The cell of a table of dtypes: the number of a dtype, or NOTHING for a refusal.
function tableCell(known, system, a, b) {
  const [i, j] = [system.dtypes.indexOf(a), system.dtypes.indexOf(b)];
  return i < 0 || j < 0 ? undefined : known.block[system.table + i * system.dtypes.length + j];
}
