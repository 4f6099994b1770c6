import { describeSingles } from './describeSingles.ts'

describeSingles(/^(?!checkout of)(?!.* by invoice$)(?!.* of surplus)/)
