/* A sliding window over channels that lose messages. The sender may have WINDOW frames under way; whatever is lost is sent again when
 * nothing else can happen. Frames are numbered round and round, with one number more than the window has places, and each carries a part
 * of the data, which is the sequence 0, 1, 2, 0, 1, ... The receiver takes frames in order only, and checks that none is missing.
 *
 * With as many numbers as the window has places, a frame that is sent again is taken for a new one: -D NUMBERS=2 shows it. */

#define WINDOW 2
#define ROOM 2
#ifndef NUMBERS
#define NUMBERS 3
#endif

chan frames = [ROOM] of { byte, byte };
chan acks = [ROOM] of { byte };

inline next(number) {
	number = (number + 1) % NUMBERS
}

active proctype Sender() {
	byte first;             /* the oldest frame that is not acknowledged */
	byte count;             /* how many are under way */
	byte data;              /* of the oldest frame */
	byte got, i;

	do
	:: count < WINDOW && nfull(frames) ->
	   frames!(first + count) % NUMBERS, (data + count) % 3;
	   count++
	:: acks?got ->
	   /* It acknowledges all frames up to this number. */
	   d_step {
		i = (got + NUMBERS - first) % NUMBERS;
		if
		:: i < count -> i++; count = count - i; first = (first + i) % NUMBERS; data = (data + i) % 3
		:: else
		fi;
		got = 0; i = 0
	   }
	:: timeout ->
	   /* All is lost: everything once more. */
	   count = 0
	od
}

active proctype Receiver() {
	byte number, data, wanted, due;

end:	do
	:: frames?number, data ->
	   if
	   :: number == wanted ->
	      assert(data == due);
	      next(wanted);
	      due = (due + 1) % 3
	   :: else
	   fi;
	   d_step { number = 0; data = 0 };
	   if
	   :: nfull(acks) -> acks!(wanted + NUMBERS - 1) % NUMBERS
	   :: skip             /* the acknowledgement is lost */
	   fi
	od
}

/* Loses frames. */
active proctype Thief() {
end:	do
	:: frames?_, _
	od
}
