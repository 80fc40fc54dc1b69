import { type Draft, produce } from 'immer';

/**
 * An assignment written as changes to a draft of the context. It merges at the top level and so cannot delete a key there:
 * what comes and goes lives one level down.
 */
export const mutate =
  <C, E>(recipe: (draft: Draft<C>, event: E) => void) =>
  ({ context, event }: { context: C; event: E }): C =>
    produce(context, (draft) => {
      recipe(draft, event);
    });
