/** Where the software's own documentation explains a problem. */

const VLLM = 'https://docs.vllm.ai/en/latest';
const HUB = 'https://huggingface.co/docs/huggingface_hub';
const TORCH = 'https://docs.pytorch.org/docs/stable';
const SGLANG = 'https://docs.sglang.io';
const NVIDIA = 'https://docs.nvidia.com';
const SPECULATORS = 'https://docs.vllm.ai/projects/speculators/en/stable';

export const PAGES = {
  memory: `${VLLM}/configuration/conserving_memory/`,
  optimization: `${VLLM}/configuration/optimization/`,
  arguments: `${VLLM}/configuration/engine_args/`,
  serve: `${VLLM}/cli/serve/`,
  variables: `${VLLM}/configuration/env_vars/`,
  troubleshooting: `${VLLM}/usage/troubleshooting/`,
  parallelism: `${VLLM}/serving/parallelism_scaling/`,
  dataParallel: `${VLLM}/serving/data_parallel_deployment/`,
  distributed: `${VLLM}/serving/distributed_troubleshooting/`,
  models: `${VLLM}/models/supported_models/`,
  speculation: `${VLLM}/features/speculative_decoding/`,
  speculatorsInVllm: `${VLLM}/features/speculative_decoding/speculators/`,
  hiddenStates: `${VLLM}/features/speculative_decoding/extract_hidden_states/`,
  attention: `${VLLM}/design/attention_backends/`,
  quantization: `${VLLM}/features/quantization/`,
  kvCacheTypes: `${VLLM}/features/quantization/quantized_kvcache/`,
  lora: `${VLLM}/features/lora/`,
  tools: `${VLLM}/features/tool_calling/`,
  install: `${VLLM}/getting_started/installation/gpu/`,
  docker: `${VLLM}/deployment/docker/`,
  compile: `${VLLM}/design/debug_vllm_compile/`,
  speculators: `${SPECULATORS}/`,
  sglangMemory: `${SGLANG}/advanced_features/hyperparameter_tuning.html`,
  sglangArguments: `${SGLANG}/advanced_features/server_arguments.html`,
  sglangInstall: `${SGLANG}/get_started/install.html`,
  gated: 'https://huggingface.co/docs/hub/models-gated',
  tokens: 'https://huggingface.co/docs/hub/security-tokens',
  rates: 'https://huggingface.co/docs/hub/rate-limits',
  download: `${HUB}/guides/download`,
  cache: `${HUB}/guides/manage-cache`,
  hubVariables: `${HUB}/package_reference/environment_variables`,
  safetensors: 'https://huggingface.co/docs/safetensors/index',
  customModels: 'https://huggingface.co/docs/transformers/custom_models',
  datasets: 'https://huggingface.co/docs/datasets/loading',
  cuda: `${TORCH}/notes/cuda.html`,
  ncclVariables: `${TORCH}/torch_nccl_environment_variables.html`,
  elastic: `${TORCH}/elastic/errors.html`,
  data: `${TORCH}/data.html`,
  nccl: `${NVIDIA}/deeplearning/nccl/user-guide/docs/troubleshooting.html`,
  compatibility: `${NVIDIA}/deploy/cuda-compatibility/`,
  xid: `${NVIDIA}/deploy/xid-errors/`,
  container: `${NVIDIA}/datacenter/cloud-native/container-toolkit/latest/install-guide.html`,
  flashAttention: 'https://github.com/Dao-AILab/flash-attention',
  spawn: 'https://docs.python.org/3/library/multiprocessing.html#the-spawn-and-forkserver-start-methods',
} as const;
