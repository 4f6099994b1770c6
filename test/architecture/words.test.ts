import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '..', '..')

/** Words that `infra/decisions/glossary.md` replaces by the field's own. */
const replaced =
  /\b(stands?(?!-in)|standing|tells?|told|nobody|somebody|whoever|whom|of then|in force|carr(y|ies|ied) on|stand-ins?|catalogues?|cancell(ed|ing)|e-mails?)\b/i

/** The glossary itself names what it replaces, German has words of its own, tests quote what people write, and packages are not ours. */
const isExempt = (file: string) =>
  file === join('decisions', 'glossary.md') || /(^|\/)(texts\/de[./]|test\/|node_modules\/)/.test(file)

function linesWithReplacedWords(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return files
    .filter((file) => /\.(ts|md|html|css|js)$/.test(file) && !isExempt(file))
    .flatMap((file) =>
      readFileSync(join(root, folder, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (replaced.test(line) ? [`${folder}/${file}:${index + 1} ${line.trim()}`] : [])),
    )
}

describe('The words of the code and its documents', () => {
  it.each(['lib', 'functions', 'infra'])('in %s are those of the glossary', (folder) => {
    expect(linesWithReplacedWords(folder)).toEqual([])
  })
})
