/** Lists as Relay's connections: what every list of the graph is asked and answered with. */
// Decorators need it, whichever module is loaded first.
import 'reflect-metadata';
import { type ClassType, Field, Int, ObjectType } from 'type-graphql';

@ObjectType('PageInfo', { description: 'Where a page of a list lies.' })
class PageInfoType {
  @Field({ description: 'Whether more follows, as far as it is known: true behind a page that `before` ended.' })
  hasNextPage: boolean;

  @Field({ description: 'Whether more comes before, as far as it is known: true behind a page that `after` began.' })
  hasPreviousPage: boolean;

  @Field(() => String, { nullable: true, description: 'The cursor of the first item; null on an empty page.' })
  startCursor?: string | null;

  @Field(() => String, { nullable: true, description: 'Pass as `after` for the next page; null on an empty page.' })
  endCursor?: string | null;
}

/** The type of a page of these items; `counted` where the whole list is at hand. */
export function ConnectionOf<Item extends object>(item: ClassType<Item>, { counted = false } = {}): ClassType {
  @ObjectType(`${item.name}Edge`, { description: 'An item of a list and its place.' })
  class Edge {
    @Field({ description: 'Its place in the list, for `after` and `before`.' })
    cursor: string;

    @Field(() => item, { description: 'The item.' })
    node: Item;
  }

  @ObjectType(`${item.name}Connection`, { description: 'A page of a list.' })
  class Page {
    @Field(() => [Edge], { description: 'The items with their places.' })
    edges: Edge[];

    @Field(() => [item], { description: 'The items alone.' })
    nodes: Item[];

    @Field(() => PageInfoType, { description: 'Where the page lies in the list.' })
    pageInfo: PageInfoType;
  }
  if (counted) {
    const description = 'How many there are on all pages; null where that would have to be counted.';
    Field(() => Int, { nullable: true, description })(Page.prototype, 'totalCount');
  }
  return Page;
}
