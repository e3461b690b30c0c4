/** train.py's command line: the flags that show in what the stand-in does. */
export function parseTrainOptions(words) {
  const value = (name, usual) => {
    const at = words.indexOf(`--${name}`);
    return at === -1 ? usual : words[at + 1];
  };
  return {
    words,
    verifier: value('verifier-name-or-path', ''),
    endpoint: value('vllm-endpoint', 'http://localhost:8000/v1'),
    dataPath: value('data-path', './output'),
    savePath: value('save-path', './output/checkpoints'),
    epochs: Number(value('epochs', '20')),
    positions: Number(value('block-size', '16')) - 1,
  };
}
