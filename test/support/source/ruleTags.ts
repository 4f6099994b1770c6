import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What tags may name: an item of ASVS, a catch, an attack in threats.md, a bug in proof.md. */
type Kind = 'asvs' | 'catch' | 'threat' | 'bug'

/** What a test shows, as the comment above it says: `// [asvs 2.3.4 6.2.1] [catch notify.notify]`. */
export interface RuleTag {
  readonly kind: string
  readonly id: string
  /** Its path below `test/`. */
  readonly file: string
  /** File and line of the comment. */
  readonly place: string
  /** Whether a test begins on the next line. */
  readonly isAtTest: boolean
}

const tests = join(import.meta.dirname, '..', '..')

/** Every tag of a kind in the tests: they name rules by ids, so that a title can change. */
export function ruleTags(kind: Kind): RuleTag[] {
  return readdirSync(tests, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => tagsIn(file, readFileSync(join(tests, file), 'utf8')))
    .filter((tag) => tag.kind === kind)
}

/** Each id of a kind beside each file whose tests name it. */
export function filesOfTags(kind: Kind): string[] {
  return [...new Set(ruleTags(kind).map(({ id, file }) => `${id} ${file}`))].toSorted()
}

/** The same as a table says it: the number of a row beside each test file in its last cell. */
export function filesOfRow(number: string, shownBy: string): string[] {
  return [...shownBy.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => `${number} ${file}`)
}

function tagsIn(file: string, text: string): RuleTag[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (!/^\s*\/\/ \[(asvs|catch|threat|bug) /.test(line)) return []
    const place = `${file}:${index + 1}`
    const isAtTest = /^\s*it[.(]/.test(lines[index + 1] ?? '')
    return [...line.matchAll(/\[(asvs|catch|threat|bug) ([^\]]+)\]/g)].flatMap(([, kind = '', ids = '']) =>
      ids.split(' ').map((id) => ({ kind, id, file, place, isAtTest })),
    )
  })
}
