export interface Closable {
  close(): Promise<void>
}

/** Resources that are closed together: when the stack ends, and when it fails to start. */
export interface ResourceScope extends Closable {
  /** Registers a resource that is open or opening, and returns it. */
  add<Resource extends Closable>(opening: Promise<Resource> | Resource): Promise<Resource>
}

/** Closes in reverse order of `add`, each resource once it is open; skips those that failed to open. Safe to call twice. */
export function createResourceScope(): ResourceScope {
  const openings: Promise<Closable>[] = []
  return {
    add(opening) {
      const opened = Promise.resolve(opening)
      openings.push(opened)
      // The caller awaits it and gets the failure; this only keeps it from being reported as unhandled.
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
