import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { replay } from '../state/changes.ts'
import { openSnapshot } from '../state/snapshot.ts'
import { emptyState } from '../state/state.ts'

const syncData = promisify(fdatasync)

/** Characters of journal after which a new snapshot is written, at least. */
const JOURNAL_BYTES = 16_000_000

/** The state of an emulator on disk: a snapshot and a journal of the changes since. */
export interface EmulatorStorage {
  /** The snapshot found on opening; undefined if there was none. */
  readonly snapshot: unknown
  /** The changes found after it, oldest first. */
  readonly changes: readonly unknown[]
  /** Writes a change. From then on it outlives the process. */
  note(change: object): void
  /** Resolves when every change noted so far outlives the machine, too. */
  flush(): Promise<void>
  /** Starts a new journal on a snapshot of the present state. Takes a new snapshot from `current` when the journal has grown. */
  startWith(current: () => unknown): void
  /** Writes a last snapshot and closes the files. */
  close(): Promise<void>
}

/** The lines of a journal as JSON. Text after the last line break is dropped: a crash cut it off. */
function entriesOf(journal: string): unknown[] {
  const lines = journal.slice(0, journal.lastIndexOf('\n') + 1).split('\n')
  return lines.flatMap((line): unknown[] => (line === '' ? [] : [JSON.parse(line)]))
}

/** Writes a temporary file and renames it: after a crash the old file or the new file is there, whole. */
function replaceFile(file: string, text: string): void {
  const open = openSync(`${file}.new`, 'w')
  writeFileSync(open, text)
  fsyncSync(open)
  closeSync(open)
  renameSync(`${file}.new`, file)
}

/** Reads a file of the state. Throws Error with the file's name and a way out if it is spoilt. */
function readable<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${file} cannot be read: ${reason}. Move its folder away to begin anew, or name another folder`)
  }
}

/** Opens `stripe.json` and `stripe.journal` in a folder, which is created. Rejects on files that are no state of an emulator. */
export async function openEmulatorStorage(folder: string): Promise<EmulatorStorage> {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'stripe.json')
  const journalFile = join(folder, 'stripe.journal')
  const [saved, journal] = await Promise.all(
    [file, journalFile].map((path) => (existsSync(path) ? readFile(path, 'utf8') : undefined)),
  )
  const snapshot = saved === undefined ? undefined : readable<unknown>(file, () => JSON.parse(saved))
  if (snapshot !== undefined) readable(file, () => openSnapshot(snapshot))
  const changes = readable(journalFile, () => entriesOf(journal ?? ''))
  if (changes.length > 0) readable(journalFile, () => replay(snapshot ?? emptyState(), changes))
  const handle = openSync(journalFile, 'a')
  let limit = JOURNAL_BYTES
  let size = 0
  let unsynced = false
  let syncing = Promise.resolve()
  let current: (() => unknown) | undefined

  // The journal is emptied after the snapshot is in place: replaying it over the newer snapshot would change nothing.
  function compact(): void {
    if (current === undefined) return
    const text = JSON.stringify(current())
    replaceFile(file, text)
    limit = Math.max(JOURNAL_BYTES, 2 * text.length)
    ftruncateSync(handle)
    size = 0
  }

  return {
    snapshot,
    changes,
    note(change) {
      const line = `${JSON.stringify(change)}\n`
      appendFileSync(handle, line)
      size += line.length
      unsynced = true
    },
    flush() {
      if (size > limit) compact()
      if (unsynced) {
        unsynced = false
        syncing = syncing.then(() => syncData(handle))
      }
      return syncing
    },
    startWith(state) {
      current = state
      compact()
    },
    async close() {
      await syncing
      compact()
      closeSync(handle)
    },
  }
}
