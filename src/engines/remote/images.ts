/**
 * Remote image models in the illustrator's place: which model draws, edits and letters, and what such models leave undone
 * of the documented API. Whatever size comes back, the proportions are those that were asked for, or those of the first reference.
 */
import type { ImageModelV4, ImageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { ImageModelId } from '../../kernel/media-options.ts';
import type { Decoders } from '../decoders/index.ts';
import { ratioOfImage, ratioOfName } from './ratio.ts';

/** Names of `IMAGE_MODEL`: the model for all, and others for what it does not do. */
export interface ImageModels {
  all: ImageModelV4;
  edit?: ImageModelV4;
  typo_gen?: ImageModelV4;
  typo_edit?: ImageModelV4;
}

type Cutter = Pick<Decoders, 'cut'>;

/**
 * The models of the documented API. @param providerOptions handed to every call, as the providers document them
 * @param decoders cut what comes back
 */
export function remoteImages(models: ImageModels, providerOptions: SharedV4ProviderOptions, decoders: Cutter) {
  const { all, edit = all, typo_gen = all, typo_edit = edit } = models;
  const ours: Record<ImageModelId, ImageModelV4> = {
    default: inProportion((isEdit) => (isEdit ? edit : all), providerOptions, decoders),
    typo_gen: inProportion(() => typo_gen, providerOptions, decoders),
    typo_edit: inProportion(() => typo_edit, providerOptions, decoders),
  };
  return (model: ImageModelId): ImageModelV4 => ours[model];
}

function inProportion(
  pick: (isEdit: boolean) => ImageModelV4,
  providerOptions: SharedV4ProviderOptions,
  decoders: Cutter,
): ImageModelV4 {
  const usual = pick(false);
  return {
    specificationVersion: 'v4',
    provider: usual.provider,
    modelId: usual.modelId,
    maxImagesPerCall: 1,
    supportsFileInputs: true,
    supportsMaskInputs: false,
    async doGenerate(call) {
      const model = pick((call.files?.length ?? 0) > 0);
      const result = await model.doGenerate({
        ...call,
        // The same request gives the same image, as far as the model keeps to its seed.
        seed: call.seed ?? seedOf(call.prompt ?? ''),
        providerOptions: { ...providerOptions, ...call.providerOptions },
      });
      const ratio = await ratioWanted(call);
      const images = result.images.map((one) => (typeof one === 'string' ? Buffer.from(one, 'base64') : one));
      if (!ratio) return { ...result, images };
      const ask = { field: 'image', ...(call.abortSignal ? { signal: call.abortSignal } : {}) };
      return { ...result, images: await Promise.all(images.map((image) => decoders.cut(image, ratio, ask))) };
    },
  };
}

async function ratioWanted({ aspectRatio, files }: ImageModelV4CallOptions): Promise<number | undefined> {
  if (aspectRatio) return ratioOfName(aspectRatio);
  const first = files?.[0];
  if (first?.type !== 'file') return undefined;
  return ratioOfImage(typeof first.data === 'string' ? Buffer.from(first.data, 'base64') : first.data);
}

/** FNV-1a, 31 bits: some providers refuse larger seeds. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 1;
}
