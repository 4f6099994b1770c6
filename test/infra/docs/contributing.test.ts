import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import * as errorBodies from '../../../lib/http/answer/errorBody.ts'
import * as schemas from '../../../lib/http/schema.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const guide = readFileSync(join(root, '.github', 'CONTRIBUTING.md'), 'utf8')

/** Code of the guide: in backticks, and the lines of its blocks. */
const code = [...guide.matchAll(/`([^`\n]+)`/g), ...guide.matchAll(/^((?:npm|npx|GOLDEN)[^#\n]+)/gm)].map(
  ([, text = '']) => text.trim(),
)
const unique = (texts: readonly string[]) => [...new Set(texts)]

describe('CONTRIBUTING', () => {
  const paths = code.flatMap(
    (text) => text.match(/(?<![\w/])(?:lib|functions|infra|test|events|\.github)\/[\w./-]+/g) ?? [],
  )
  const links = [...guide.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link = '']) => join('.github', link))

  it.each(unique([...paths, ...links]).filter((path) => !/NNNN|\/$/.test(path) && !guide.includes(`${path}<`)))(
    'names %s, which exists',
    (path) => {
      expect(existsSync(join(root, path))).toBe(true)
    },
  )

  it.each(unique(code.flatMap((text) => [...text.matchAll(/\bnpm (?:run )?([\w:]+)/g)].map(([, name = '']) => name))))(
    'names the npm command %s, which exists',
    (name) => {
      const { scripts } = z
        .object({ scripts: z.record(z.string(), z.string()) })
        .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
      expect(['ci', ...Object.keys(scripts)]).toContain(name)
    },
  )

  it.each(unique(code.flatMap((text) => /^(\w+)\(/.exec(text)?.[1] ?? [])).filter((name) => name !== 'describe'))(
    'names the function %s, which contracts can import',
    (name) => {
      expect({ ...schemas, ...errorBodies }).toHaveProperty(name)
    },
  )
})
