import { askBudget, everyAskEnds, keptIsKept, nothingAskedInTheDark } from './asks.ts';
import { floodsAreBraked } from './brake.ts';
import type { Checker } from './checker.ts';
import { everythingSaysWhy, oneHolderWrites } from './holder.ts';
import { dwellIsKept, neededKeysStay, nothingIsLost, plansStay, providedIsAnswered } from './keys.ts';
import { comesToRest } from './rest.ts';
import { warrantsAreAnswers, warrantsAreProved } from './warrants.ts';

/** A checker of each promise, for one run. */
export function checkers(): readonly Checker[] {
  return [
    askBudget(),
    nothingAskedInTheDark(),
    everyAskEnds(),
    keptIsKept(),
    warrantsAreAnswers(),
    warrantsAreProved(),
    neededKeysStay(),
    dwellIsKept(),
    nothingIsLost(),
    providedIsAnswered(),
    plansStay(),
    floodsAreBraked(),
    oneHolderWrites(),
    everythingSaysWhy(),
    comesToRest(),
  ];
}
