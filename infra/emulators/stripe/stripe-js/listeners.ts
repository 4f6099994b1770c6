/** A handler of a page. As a method it takes whatever event the page has declared for its type. */
export type Handler = { handle(event: object): unknown }['handle']

/** Handlers by event, as the `on`, `once` and `off` of an element keep them. */
interface Listeners {
  on(type: string, handler: Handler): void
  once(type: string, handler: Handler): void
  /** If the handler is left out, removes all of the type. */
  off(type: string, handler?: Handler): void
  emit(type: string, event: object): void
}

/** An error in a handler reaches the page's console, and no other handler. */
export function createListeners(): Listeners {
  const handlers = new Map<string, Map<Handler, Handler>>()
  const add = (type: string, handler: Handler, run: Handler) => {
    handlers.set(type, (handlers.get(type) ?? new Map<Handler, Handler>()).set(handler, run))
  }
  const off = (type: string, handler?: Handler) => {
    if (handler === undefined) handlers.delete(type)
    else handlers.get(type)?.delete(handler)
  }
  return {
    on: (type, handler) => add(type, handler, handler),
    once(type, handler) {
      add(type, handler, (event) => {
        off(type, handler)
        return handler(event)
      })
    },
    off,
    emit(type, event) {
      for (const run of [...(handlers.get(type)?.values() ?? [])]) {
        try {
          run(event)
        } catch (error) {
          reportError(error)
        }
      }
    },
  }
}
