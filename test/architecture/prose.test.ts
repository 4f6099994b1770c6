import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const root = join(import.meta.dirname, '..', '..')

/** The files of a folder, or the file itself, relative to the root. */
function filesIn(place: string): string[] {
  if (statSync(join(root, place)).isFile()) return [place]
  return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .map((file) => `${place}/${file.replaceAll('\\', '/')}`)
    .filter((file) => !/(^|\/)(node_modules|dist)\//.test(file))
}

/** Words that `infra/decisions/glossary.md` replaces by the field's own. */
const replaced =
  /\b(stands?(?!-in)|standing|tells?|told|nobody|somebody|whoever|whom|of then|in force|carr(y|ies|ied) on|stand-ins?|catalogues?|cancell(ed|ing)|e-mails?)\b/i

/** The glossary itself names what it replaces, German has words of its own, and titles of tests stay as they are. */
const isExempt = (file: string) => file.endsWith('decisions/glossary.md') || /\/texts\/de[./]|\/test\//.test(file)

function linesWithReplacedWords(folder: string): string[] {
  return filesIn(folder)
    .filter((file) => /\.(ts|md|html|css|js)$/.test(file) && !isExempt(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (replaced.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [])),
    )
}

describe('The words of the code and its documents', () => {
  it.each(['lib', 'functions', 'infra'])('in %s are those of the glossary', (folder) => {
    expect(linesWithReplacedWords(folder)).toEqual([])
  })
})

/** Per 1,000 words: at most so many `where` and `one(s)`, at least so many `if` and `when`. */
interface Limits {
  readonly where: number
  readonly one: number
  readonly ifOrWhen: number
}

const plain: Limits = { where: 2, one: 6, ifOrWhen: 8 }

/** A folder or document with the rates that hold for it. */
const limits: Readonly<Record<string, Limits>> = { lib: plain, functions: plain, infra: plain, 'README.md': plain }

function commentsOf(source: string): string[] {
  const blocks = (source.match(/\/\*\*?[\s\S]*?\*\//g) ?? []).map((block) =>
    block.replace(/^\/\*+|\*\/$/g, '').replace(/^\s*\*+\/?/gm, ' '),
  )
  const lines = source.match(/(?:^[ \t]*\/\/[^\n]*\n)+/gm) ?? []
  return [...blocks, ...lines.map((line) => line.replace(/^[ \t]*\/\/+/gm, ' '))]
}

/** Paragraphs and rows of tables, without code and the targets of links. */
function paragraphsOf(markdown: string): string[] {
  return markdown.replace(/```[\s\S]*?```|`[^`]*`|\]\([^)]*\)/g, ' ').split(/\n\s*\n|\n\|/)
}

/** Sentences of more than two words, of documents and of comments outside tests and generated files. */
function sentencesIn(place: string): string[] {
  return filesIn(place)
    .filter((file) => /\.(tsx?|md)$/.test(file))
    .filter((file) => !/(^|\/)tests?\/|\.(test|spec|d)\.|\/schema\.ts$/.test(file))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      return file.endsWith('.md') ? paragraphsOf(source) : commentsOf(source)
    })
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => /[a-z]{3,} [a-z]{2,}/.test(text) && !/biome-|@ts-|SPDX/.test(text))
    .flatMap((text) => text.split(/(?<=[.!?])\s+/))
    .filter((sentence) => sentence.split(' ').length > 2)
}

function ratesOf(place: string): Limits {
  const sentences = sentencesIn(place)
  const words = sentences.reduce((sum, sentence) => sum + sentence.split(' ').length, 0)
  const rate = (word: RegExp) =>
    (1000 * sentences.reduce((sum, sentence) => sum + (sentence.match(word) ?? []).length, 0)) / words
  return { where: rate(/\bwhere\b/gi), one: rate(/\bones?\b/gi), ifOrWhen: rate(/\b(if|when)\b/gi) }
}

describe('The prose of the code and its documents', () => {
  it.each(Object.entries(limits))('in %s says if and when, and names things', (place, { where, one, ifOrWhen }) => {
    const rates = ratesOf(place)
    expect(rates.where).toBeLessThanOrEqual(where)
    expect(rates.one).toBeLessThanOrEqual(one)
    expect(rates.ifOrWhen).toBeGreaterThanOrEqual(ifOrWhen)
  })
})
