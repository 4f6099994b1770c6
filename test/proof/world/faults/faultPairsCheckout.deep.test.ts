import { describePairs } from './describePairs.ts'

describePairs(['checkout of a returning buyer'])
