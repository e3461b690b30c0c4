import type { Recipe } from '../config/config.ts';
import { choosesDevices } from '../config/gpus.ts';
import type { Placement } from '../run/holder.ts';

/**
 * The variables of the process: the recipe's own, the GPUs that it has, and their order as nvidia-smi counts them (CUDA's own order begins with
 * the fastest). What the recipe says itself stays.
 */
export function launchEnvironment(recipe: Recipe, placement: Placement | null): Readonly<Record<string, string>> {
  const devices =
    placement === null || choosesDevices(recipe) ? {} : { CUDA_VISIBLE_DEVICES: placement.devices.join(',') };
  return { CUDA_DEVICE_ORDER: 'PCI_BUS_ID', ...devices, ...recipe.environment };
}
