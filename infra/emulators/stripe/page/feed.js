/** Asks the emulator for what has changed since it was last asked, and keeps the rest. `read` resolves with all of it. */
export function createFeed(get) {
  let cursor = ''
  let lists = new Map()
  let known
  let reading = Promise.resolve()

  async function ask() {
    const changes = await get(`changes?after=${cursor}`)
    if (changes.whole) lists = new Map()
    for (const [name, rows] of Object.entries(changes.rows)) {
      const list = lists.get(name) ?? new Map()
      lists.set(name, list)
      for (const row of rows) list.set(row.id, row)
    }
    for (const [name, ids] of Object.entries(changes.removed)) for (const id of ids) lists.get(name)?.delete(id)
    const { now, webhook_mode } = changes
    const { requests, ...tables } = Object.fromEntries([...lists].map(([name, list]) => [name, [...list.values()]]))
    const hasChanged = changes.cursor !== cursor
    cursor = changes.cursor
    known = { state: { now, webhook_mode, ...tables }, requests, planted: changes.faults ?? known?.planted, hasChanged }
    return known
  }

  return {
    /** One question at a time: an answer is about what was known when it was asked for. */
    read() {
      reading = reading.then(ask, ask)
      return reading
    },
  }
}
