export interface Closable {
  close(): Promise<void>
}

/** What was opened so far, so that nothing is left behind: neither at the end nor when a start fails half-way. */
export interface Opened extends Closable {
  /** Remembers what is being opened and hands it back. */
  add<Resource extends Closable>(opening: Promise<Resource> | Resource): Promise<Resource>
}

/** Closes in the opposite order of `add`, each once it is open; what failed to open is passed over. Safe to call twice. */
export function trackOpened(): Opened {
  const openings: Promise<Closable>[] = []
  return {
    add(opening) {
      const opened = Promise.resolve(opening)
      openings.push(opened)
      // Whoever awaits it hears of its failure; here it must only not count as unhandled.
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
