import type { Language } from '../core/language.ts'
import { de } from './de.ts'
import { en, type Texts } from './en.ts'

export type { Texts }

/** Every text that people read on pages and in mails, by language. */
export const texts: Readonly<Record<Language, Texts>> = { en, de }
