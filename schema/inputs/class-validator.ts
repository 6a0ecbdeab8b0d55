/**
 * The rules of class-validator that are used here, each of its own module: its index loads three hundred more, for phone numbers
 * and locales, which cost each process a seventh of its start.
 */
import { createRequire } from 'node:module';
import type * as ClassValidator from 'class-validator';

export type { ValidationError, ValidationOptions } from 'class-validator';

const load = createRequire(import.meta.url);
const module = (name: string): typeof ClassValidator => load(`class-validator/cjs/${name}.js`);

export const { ArrayMaxSize } = module('decorator/array/ArrayMaxSize');
export const { ArrayMinSize } = module('decorator/array/ArrayMinSize');
export const { IsIn } = module('decorator/common/IsIn');
export const { IsInt } = module('decorator/typechecker/IsInt');
export const { IsOptional } = module('decorator/common/IsOptional');
export const { Matches } = module('decorator/string/Matches');
export const { Max } = module('decorator/number/Max');
export const { Min } = module('decorator/number/Min');
export const { ValidateBy } = module('decorator/common/ValidateBy');
export const { ValidateIf } = module('decorator/common/ValidateIf');
export const { getMetadataStorage } = module('metadata/MetadataStorage');

const { Validator } = module('validation/Validator');
const validator = new Validator();

/** The rules of the value's class that it breaks. */
export const validateSync = (
  value: object,
  options: ClassValidator.ValidatorOptions,
): ClassValidator.ValidationError[] => validator.validateSync(value, options);
