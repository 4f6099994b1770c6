import { describePairs } from './describePairs.ts'

describePairs(['checkout with a coupon'])
