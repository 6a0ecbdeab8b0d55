/** A documented limit of an input field: what OpenAPI shows. The services enforce it, in code points. */
import { Extensions } from 'type-graphql';

export interface Bounds {
  maxLength?: number;
  minLength?: number;
  maxItems?: number;
  minItems?: number;
  minimum?: number;
  maximum?: number;
  enum?: readonly (string | number)[];
  /** Where the GraphQL type is wider: whole numbers beyond Int are Float there. */
  type?: 'integer';
  format?: string;
  pattern?: string;
  default?: unknown;
}

export const Bounded = (bounds: Bounds): PropertyDecorator =>
  Extensions({ jsonSchema: bounds }) as unknown as PropertyDecorator;
