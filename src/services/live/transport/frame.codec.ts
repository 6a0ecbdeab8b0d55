/**
 * Encodes an update once for all viewers that asked for the same fields: one GraphQL execution and one serialisation per
 * change (60 µs a delivery with an execution for each viewer). Only the id of the operation differs between viewers.
 * Viewers were authorized before.
 */
import {
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  getOperationAST,
  Kind,
  print,
  visit,
} from 'graphql';
import type { Executor } from '../../../../resolvers/execute.ts';
import type { LiveRow, LiveSink } from '../../../../resolvers/live.ts';
import type { RequestContext } from '../../../../resolvers/request-context.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Live } from '../live.service.ts';
import { UpdateFrame } from './update-frame.codec.ts';

type Frames = LiveSink<UpdateFrame>['encoder'];

/** The one subscription whose updates are shared. */
const FIELD = 'turnUpdated';

/** A subscription without its arguments and the variables that only those use: they differ between viewers. */
interface Selection {
  document: DocumentNode;
  text: string;
  variables: string[];
}

export class SharedFrames {
  readonly #executor: Pick<Executor, 'executeUpdate'>;
  readonly #live: Pick<Live, 'show'>;
  readonly #format: (result: ExecutionResult, requestId?: string) => FormattedExecutionResult;
  readonly #selections = new WeakMap<DocumentNode, Map<string, Selection | undefined>>();
  /** Weak: an encoder lives as long as a viewer has it. */
  readonly #encoders = new Map<string, WeakRef<Frames>>();
  readonly #dropped = new FinalizationRegistry<string>((key) => {
    if (!this.#encoders.get(key)?.deref()) this.#encoders.delete(key);
  });

  constructor(
    executor: Pick<Executor, 'executeUpdate'>,
    live: Pick<Live, 'show'>,
    format: (result: ExecutionResult, requestId?: string) => FormattedExecutionResult,
  ) {
    this.#executor = executor;
    this.#live = live;
    this.#format = format;
  }

  /** How to frame updates for this subscription; undefined when it is not one of turns. */
  encoderOf(request: {
    document: DocumentNode;
    operationName?: string | null | undefined;
    variables?: Record<string, unknown> | null | undefined;
    context: RequestContext;
  }): Frames | undefined {
    const selection = this.#selectionOf(request.document, request.operationName);
    if (!selection) return undefined;
    const variables = Object.fromEntries(
      selection.variables.flatMap((name) =>
        request.variables && name in request.variables ? [[name, request.variables[name]]] : [],
      ),
    );
    const key = `${selection.text}\n${JSON.stringify(variables)}`;
    const known = this.#encoders.get(key)?.deref();
    if (known) return known;
    // The first viewer's, without who that is: all see the result.
    const { principal: _, ...context } = request.context;
    const encoder: Frames = { encode: (row) => this.#frame(selection.document, variables, context, row) };
    this.#encoders.set(key, new WeakRef(encoder));
    this.#dropped.register(encoder, key);
    return encoder;
  }

  async #frame(
    document: DocumentNode,
    variables: Record<string, unknown>,
    context: RequestContext,
    row: LiveRow,
  ): Promise<UpdateFrame> {
    const result = await this.#executor.executeUpdate({ document, variables, context }, this.#live.show(row));
    // It belongs to no request: what failed for all of them has a name of its own, by which the log knows it.
    const shown = result.errors ? this.#format(result, newId('req')) : result;
    return new UpdateFrame(Buffer.from(`,"type":"next","payload":${JSON.stringify(shown)}}`));
  }

  #selectionOf(document: DocumentNode, operationName: string | null | undefined): Selection | undefined {
    const known = this.#selections.get(document) ?? new Map<string, Selection | undefined>();
    this.#selections.set(document, known);
    const name = operationName ?? '';
    if (!known.has(name)) known.set(name, selectionOf(document, operationName));
    return known.get(name);
  }
}

function selectionOf(document: DocumentNode, operationName: string | null | undefined): Selection | undefined {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation !== 'subscription') return undefined;
  let isOfTurns = false;
  const bare = visit(
    {
      ...document,
      definitions: document.definitions.filter(
        (definition) => definition === operation || definition.kind === Kind.FRAGMENT_DEFINITION,
      ),
    },
    {
      Field(node) {
        if (node.name.value !== FIELD) return undefined;
        isOfTurns = true;
        return { ...node, arguments: [NO_SLUG] };
      },
    },
  );
  if (!isOfTurns) return undefined;
  const used = new Set<string>();
  visit(bare, { VariableDefinition: () => false, Variable: (node) => void used.add(node.name.value) });
  const selected = visit(bare, {
    OperationDefinition: ({ name: _, ...node }) => node,
    VariableDefinition: (node) => (used.has(node.variable.name.value) ? undefined : null),
  });
  return { document: selected, text: print(selected), variables: [...used].sort() };
}

/** The argument that the schema requires; it is not read after authorization. */
const NO_SLUG = {
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: 'slug' },
  value: { kind: Kind.STRING, value: '' },
} as const;
