export interface Closable {
  close(): Promise<void>
}

/** Resources that close together, when the stack ends or fails to start. */
export interface ResourceScope extends Closable {
  /** Registers a resource that is open or opening, and returns it. */
  add<Resource extends Closable>(opening: Promise<Resource> | Resource): Promise<Resource>
}

/** Closes in reverse order of `add`, each resource when it is open. Skips resources that failed to open. You may call `close` twice. */
export function createResourceScope(): ResourceScope {
  const openings: Promise<Closable>[] = []
  return {
    add(opening) {
      const opened = Promise.resolve(opening)
      openings.push(opened)
      // The caller awaits it and gets the failure. Without this, Node would also report it as unhandled.
      opened.catch(() => {})
      return opened
    },
    async close() {
      for (let opening = openings.pop(); opening; opening = openings.pop()) {
        const resource = await opening.catch(() => undefined)
        await resource?.close()
      }
    },
  }
}
