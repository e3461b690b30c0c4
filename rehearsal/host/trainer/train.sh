#!/usr/bin/env bash
# Trains the drafter on this machine: a target server on GPUs 0,1 gives out hidden states, the trainer has GPUs 2,3.
set -euo pipefail
cd "$(dirname "$0")"

PORT="${PORT:-8000}"
MODEL=/workspace/dflash/models/Qwen3.6-27B
OUT="$PWD/out/$(date +%m%d-%H%M%S)"
mkdir -p logs "$OUT"

say() { echo "[$(date '+%F %T')] $*"; }

stop_server() {
  say "Stopping vLLM server (pid $SERVER)"
  kill "$SERVER" 2>/dev/null || true
  wait "$SERVER" 2>/dev/null || true
}

say "Step 1: start the target server on GPUs 0,1 (log: $PWD/logs/vllm.log)"
CUDA_VISIBLE_DEVICES=0,1 vllm serve "$MODEL" --port "$PORT" --tensor-parallel-size 2 --max-model-len 4096 \
  --speculative_config '{"method": "extract_hidden_states", "num_speculative_tokens": 1, "draft_model_config": {"hf_config": {"eagle_aux_hidden_state_layer_ids": [2, 17, 32, 47, 62, 64]}}}' \
  --kv_transfer_config '{"kv_connector": "ExampleHiddenStatesConnector", "kv_role": "kv_producer", "kv_connector_extra_config": {"shared_storage_path": "/tmp/hidden_states"}}' \
  > logs/vllm.log 2>&1 &
SERVER=$!
trap stop_server EXIT
say "vLLM pid $SERVER"

say "Waiting for vLLM server to be ready on 127.0.0.1:$PORT ..."
until healthy "http://127.0.0.1:$PORT/health"; do sleep 0.5; done
say "vLLM ready after $SECONDS s"

say "Step 2: train the drafter on GPUs 2,3"
CUDA_VISIBLE_DEVICES=2,3 torchrun --standalone --nproc_per_node 2 scripts/train.py \
  --verifier-name-or-path "$MODEL" --speculator-type dflash --data-path data --save-path "$OUT/checkpoints" \
  --vllm-endpoint "http://127.0.0.1:$PORT/v1" --target-layer-ids 2 17 32 47 62 --block-size 8 --epochs 2

say "Done. Checkpoints saved to $OUT/checkpoints"
