import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Closable } from './resourceScope.ts'

const SAVE_INTERVAL_MS = 2000

/** The text of a saved snapshot; undefined where none was saved yet. */
export async function readSnapshot(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Saves the snapshot every two seconds where it has changed, and once more on close. */
export function saveSnapshots(file: string, snapshot: () => unknown): Closable {
  let saved = ''
  let saving = Promise.resolve()
  function save(): Promise<void> {
    const text = JSON.stringify(snapshot())
    if (text === saved) return saving
    saved = text
    saving = saving.then(() => replaceFile(file, text))
    return saving
  }
  const timer = setInterval(() => void save(), SAVE_INTERVAL_MS)
  return {
    async close() {
      clearInterval(timer)
      await save()
    },
  }
}

/** Writes a temporary file and renames it: a crash leaves the old file or the new one, whole. */
async function replaceFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}
