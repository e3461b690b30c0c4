/** The virtual environment that vLLM runs in, as pip leaves one: scripts, dist-info folders, packages by name alone. */
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const distributions = {
  'flashinfer-python': ['flashinfer', '0.6.11'],
  'huggingface-hub': ['huggingface_hub', '1.19.0'],
  numpy: ['numpy', '2.2.6'],
  'nvidia-cuda-runtime': ['nvidia', '13.0.96'],
  'nvidia-nccl-cu13': ['nvidia', '2.28.9'],
  safetensors: ['safetensors', '0.7.0'],
  speculators: ['speculators', '0.7.0'],
  torch: ['torch', '2.11.0'],
  transformers: ['transformers', '5.6.2'],
  triton: ['triton', '3.6.0'],
  vllm: ['vllm', '0.25.1'],
};

const entries = {
  torchrun: 'from torch.distributed.run import main',
  vllm: 'from vllm.entrypoints.cli.main import main',
};

/** Makes it anew in `home`. `python` is the program that its scripts are run by: a link leads out of the environment, as venv's does. */
export function writePackages(home, { python }) {
  const root = join(home, 'venv');
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, 'bin'), { recursive: true });
  mkdirSync(sitePackages(home), { recursive: true });
  writeFileSync(join(root, 'pyvenv.cfg'), 'home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.12.3\n');
  symlinkSync(python, join(root, 'bin', 'python3.12'));
  for (const name of ['python', 'python3']) symlinkSync('python3.12', join(root, 'bin', name));
  for (const [name, load] of Object.entries(entries)) {
    const script = `#!${join(root, 'bin', 'python')}\nimport sys\n${load}\nif __name__ == '__main__':\n    sys.exit(main())\n`;
    writeFileSync(join(root, 'bin', name), script, { mode: 0o755 });
  }
  for (const [name, [folder, version]] of Object.entries(distributions)) addPackage(home, { name, folder, version });
}

/** One more package, or another version of one; `files` are those of its folder. */
export function addPackage(home, { name, folder = name, version, files = ['__init__.py'] }) {
  const escaped = name.replaceAll('-', '_');
  for (const found of readdirSync(sitePackages(home)).filter((each) => each.startsWith(`${escaped}-`))) {
    rmSync(join(sitePackages(home), found), { recursive: true });
  }
  const info = join(sitePackages(home), `${escaped}-${version}.dist-info`);
  mkdirSync(info, { recursive: true });
  writeFileSync(join(info, 'METADATA'), `Metadata-Version: 2.4\nName: ${name}\nVersion: ${version}\n`);
  writeFileSync(join(info, 'INSTALLER'), 'pip\n');
  for (const file of files) {
    const path = join(sitePackages(home), folder, file);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
  }
}

/** The version of vLLM there. */
export function vllmVersion(home) {
  const found = readdirSync(sitePackages(home)).find((name) => /^vllm-.*\.dist-info$/.test(name));
  return found?.slice('vllm-'.length, -'.dist-info'.length) ?? distributions.vllm[1];
}

function sitePackages(home) {
  return join(home, 'venv', 'lib', 'python3.12', 'site-packages');
}
