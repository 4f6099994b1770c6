import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { generatedDocuments } from './documents.ts'

// `npm run docs` writes the documents that follow from the code.
for (const { file, text } of await generatedDocuments()) {
  await writeFile(file, text)
  process.stdout.write(`${fileURLToPath(file)}\n`)
}
