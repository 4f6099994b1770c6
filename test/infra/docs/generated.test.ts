import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { generatedDocuments } from '../../../infra/docs/documents.ts'

const documents = await generatedDocuments()

describe('A document drawn from the code', () => {
  // [asvs 8.1.1]
  it.each(documents.map(({ file, text }) => [fileURLToPath(file).split('/').slice(-2).join('/'), file, text] as const))(
    '%s is up to date: where it is not, npm run docs writes it',
    (_, file, text) => {
      expect(readFileSync(file, 'utf8')).toBe(text)
    },
  )
})

describe('events/aws', () => {
  it('holds at most 60 whole events, all of them generated', () => {
    const folder = new URL('../../../events/aws/', import.meta.url)
    const generated = documents.filter(({ file }) => file.href.startsWith(folder.href))
    const names = generated.map(({ file }) => basename(file.pathname))
    expect(readdirSync(folder).sort()).toEqual(names.sort())
    expect(names.length).toBeLessThanOrEqual(60)
  })
})
