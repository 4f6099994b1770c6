import { rmSync } from 'node:fs'

/** Jest's global tear-down. */
export default function closeRunFolder() {
  if (process.env.TEST_RUN_FOLDER) rmSync(process.env.TEST_RUN_FOLDER, { recursive: true, force: true })
}
