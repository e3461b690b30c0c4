/** What those say that start a process and watch over it: containers, systemd, Slurm. Order is priority; the most telling first. */

import { PAGES } from '../pages.ts';
import type { DiagnosisRow } from '../row.ts';

export const CONTAINER_ROWS: readonly DiagnosisRow[] = [
  {
    id: 'container-needs-newer-driver',
    category: 'driver_mismatch',
    title: "The image's CUDA is newer than the host's driver",
    why: 'An image names the CUDA that it was built for, and the container runtime refuses it where the driver is older.',
    pattern: /nvidia-container-cli: requirement error: unsatisfied condition: (?<condition>[^\s,]{1,40})/,
    samples: [
      'nvidia-container-cli: requirement error: unsatisfied condition: cuda>=12.9, please update your driver to a newer version, or use an earlier cuda container: unknown',
    ],
    remedy: ({ condition = '' }) =>
      `Update the host's driver (\`nvidia-smi\` says which it is), or take an older image: it wants ${condition}.`,
    link: PAGES.container,
    retry: 'no',
    hides: ['container-refused', 'container-without-gpu-support'],
  },
  {
    id: 'container-without-gpu-support',
    category: 'driver_mismatch',
    title: 'Docker can not give GPUs to a container',
    why: 'The NVIDIA container toolkit is not installed, or Docker was not restarted after its installation.',
    pattern: /could not select device driver|nvidia-container-cli: .{0,200}|unknown or invalid runtime name: nvidia/,
    shape: 'line',
    samples: [
      'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].',
      'docker: Error response from daemon: OCI runtime create failed: nvidia-container-cli: initialization error: load library failed: libnvidia-ml.so.1',
    ],
    remedy: () =>
      'Run `nvidia-smi` on the host; then install the toolkit, `nvidia-ctk runtime configure --runtime=docker`, and `systemctl restart docker`.',
    link: PAGES.container,
    retry: 'no',
  },
  {
    id: 'container-refused',
    category: 'bad_argument',
    title: 'Docker refused to start the container',
    why: 'A name or a port is taken, an image is not there, or an option is wrong; the line says which.',
    pattern: /^(?:docker: )?Error response from daemon: (?<said>.{1,200})/,
    shape: 'line',
    samples: [
      'docker: Error response from daemon: Conflict. The container name "/vllm" is already in use by container "3f2a".',
    ],
    remedy: ({ said = '' }) =>
      `Look at \`docker ps -a\` for a former container, and correct the recipe's argv. Docker says: ${said.replace(/\.$/, '')}.`,
    link: null,
    retry: 'no',
  },
  {
    id: 'ray-memory-monitor',
    category: 'host_oom_killed',
    title: 'Ray killed a worker since the node ran low on main memory',
    why: "Ray's own watch ends workers before the kernel would; it is the host's memory, not the GPU's.",
    pattern: /ray\.exceptions\.OutOfMemoryError|node running low on memory/,
    samples: ['ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.'],
    remedy: () =>
      'Give the node more memory (`free -h`, the container limit), or load with fewer workers at once; RAY_memory_usage_threshold moves the limit.',
    link: PAGES.distributed,
    retry: 'may help',
    endsServer: true,
  },
  {
    id: 'unit-not-started',
    category: 'bad_argument',
    title: "systemd could not run the unit's command",
    why: "The unit's command, user or working folder is not there, or may not be used.",
    pattern:
      /Failed at step (?<step>[A-Z_]{1,30}) spawning (?<command>\S{1,300}?):? |code=exited, status=2\d\d\/(?<status>[A-Z_]{1,30})/,
    shape: 'line',
    samples: [
      'vllm.service: Failed at step EXEC spawning /opt/vllm/bin/vllm: No such file or directory',
      'vllm.service: Main process exited, code=exited, status=203/EXEC',
    ],
    remedy: ({ step, command, status }) =>
      `Correct the unit (\`systemctl cat UNIT\`): its step ${step ?? status ?? ''} failed${command === undefined ? '' : ` for \`${command}\``}. EXEC means the command, CHDIR the working folder, USER the user.`,
    link: null,
    retry: 'no',
  },
  {
    id: 'slurm-ended-job',
    category: 'interrupted',
    title: 'Slurm ended the job',
    why: 'Its time was over, its node failed, or another job took its place; what it had said before is not the reason.',
    pattern: /CANCELLED AT .{1,60} DUE TO (?<reason>TIME LIMIT|NODE FAILURE|PREEMPTION)/,
    shape: 'line',
    samples: ['slurmstepd: error: *** JOB 4711 ON gpu1 CANCELLED AT 2025-11-30T20:22:33 DUE TO TIME LIMIT ***'],
    remedy: ({ reason = '' }) =>
      `Submit it again, with a longer \`--time\` where the limit was the reason; a training resumes from its last checkpoint. Slurm names: ${reason}.`,
    link: null,
    retry: 'may help',
  },
];
