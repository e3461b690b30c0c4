/**
 * Times printed in a log, as seconds on one scale: `11-30 07:41:56` (no year) or `07:41:56` (no day either), in the order of the file.
 * The scale begins anywhere: only differences mean something.
 */

const STAMP = /^(?:(\d\d)-(\d\d) )?(\d\d):(\d\d):(\d\d)$/;
const DAY = 86_400;
/** Lines of other processes and hosts may stand in a file a little too late. */
const BACKWARDS = 3600;
const ANY_YEAR = 2023;

/** Goes forward in a log: at New Year into the next year, behind midnight into the next day. */
export class Moments {
  #newest: number | null = null;
  /** From the scale to the calendar; null while only times of day were seen. */
  #shift: number | null = null;

  /** null for what is no stamp. */
  of(stamp: string): number | null {
    const parts = STAMP.exec(stamp)?.slice(1);
    if (parts === undefined) return null;
    const [month, day, ...clock] = parts;
    const [hours = 0, minutes = 0, seconds = 0] = clock.map(Number);
    const ofDay = hours * 3600 + minutes * 60 + seconds;
    const moment = month === undefined ? this.#onDay(ofDay) : this.#inYear(Number(month), Number(day), ofDay);
    this.#newest = Math.max(this.#newest ?? moment, moment);
    return moment;
  }

  /** The first such time that isn't well before the newest one. */
  #onDay(ofDay: number): number {
    const newest = this.#newest;
    if (newest === null) return ofDay;
    const shift = this.#shift ?? 0;
    const day = Math.floor((newest + shift) / DAY);
    const candidates = [day - 1, day, day + 1].map((each) => each * DAY + ofDay - shift);
    return candidates.find((each) => each >= newest - BACKWARDS) ?? newest;
  }

  #inYear(month: number, day: number, ofDay: number): number {
    const inYear = (year: number) => Date.UTC(year, month - 1, day) / 1000 + ofDay;
    const newest = this.#newest;
    if (newest === null || this.#shift === null) {
      const moment = this.#onDay(ofDay);
      this.#shift = inYear(ANY_YEAR) - moment;
      return moment;
    }
    const now = newest + this.#shift;
    const year = new Date(now * 1000).getUTCFullYear();
    const away = (moment: number) => Math.abs(moment - now);
    const nearest = [year - 1, year, year + 1]
      .map(inYear)
      .reduce((best, each) => (away(each) < away(best) ? each : best));
    return nearest - this.#shift;
  }
}
