/** How people, shells and launchers say that a process was killed, for the rows of servers and of trainings. */

/** Ray's text on any dead actor lists SIGKILL among what may have been: that says nothing. */
export const KILLED =
  /\bKilled(?:$|[ :])|killed by the OOM killer|OOM-?Killed|\boom[_-]kill|SIGKILL(?! by OOM killer due)|status=9\/KILL|status=KILL|: tasks? \S{1,40}: (?:Killed|Out Of Memory)|killed due to memory pressure|(?:exit(?:ed with)? code:?|exitcode:?|exits with return code =) (?:-9|137)\b|^command terminated with .{0,60}\b137\b/;
