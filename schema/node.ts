/** What every entity of the graph has in common: one id by which it can be read again. */
// Decorators need it, whichever module is loaded first.
import 'reflect-metadata';
import { Extensions, Field, ID, InterfaceType, ObjectType, Query } from 'type-graphql';

/** Items that such a list is counted for where the document does not say how many. */
const WHOLE_LIST = 1_000;

const ID_SAYS = 'Names it in the whole graph: what `node` reads it again by, and what a client keeps it under.';

@InterfaceType({ description: 'Anything that has an id of its own and can be read again by it.' })
export abstract class Node {
  @Field(() => ID, { description: ID_SAYS })
  id: string;
}

/** What a mutation that deletes or revokes something answers. */
@ObjectType({ description: 'Something is gone: a client forgets what it keeps under `deletedId`.' })
export class Deleted {
  @Field(() => ID, { description: 'The `id` of what is gone.' })
  deletedId: string;

  @Field({ description: 'True: it is done.' })
  ok: boolean = true;

  constructor(deletedId: string) {
    this.deletedId = deletedId;
  }
}

/** The documented id of an entity, which is its `id` as well. */
export const EntityId =
  (description: string): PropertyDecorator =>
  (target, key) => {
    Field(() => ID, { description })(target, key);
    Field(() => ID, { name: 'id', description: ID_SAYS })(target, key);
  };

/** A query for a list of which an account has few, `items` at most as a rule: without `first` and `last` it is all of them. */
export const WholeList =
  (type: () => object, description: string, items = WHOLE_LIST): MethodDecorator =>
  (target, key, descriptor) => {
    Query(type as () => never, { description })(target, key, descriptor);
    Extensions({ items })(target, String(key), descriptor as PropertyDescriptor);
  };

/**
 * A query for one thing by its id or slug. It is nullable, so that one thing which is not there does not empty the rest of
 * an answer; null always comes with an error that says why. REST and the pages stop at that error: to them it is there, as everything is
 * that has the extension `lookUp`.
 */
export const LookUp =
  (type: () => object, description: string): MethodDecorator =>
  (target, key, descriptor) => {
    Query(type as () => never, { nullable: true, description })(target, key, descriptor);
    Extensions({ lookUp: true })(target, String(key), descriptor as PropertyDescriptor);
  };
