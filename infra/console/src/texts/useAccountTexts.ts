import { account as de } from './de/account.ts'
import { account as en } from './en/account.ts'
import { useLocalization } from './useLocalization.ts'

/** Not among the texts of `Texts`: they are loaded with the account's pages, which few visits open. */
const accountTexts = { en, de }

/** The texts of the account's pages in the language of the page. */
export function useAccountTexts(): typeof en {
  return accountTexts[useLocalization().language]
}
