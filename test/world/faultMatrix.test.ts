import { describeSingles } from './describeSingles.ts'

describeSingles((name) => !name.startsWith('checkout of'))
