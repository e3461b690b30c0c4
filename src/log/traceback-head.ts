/** What CPython prints before the frames of a traceback. */
export const HEAD = 'Traceback (most recent call last):';
